// `faircopy mcp`: transcription as tools of the Model Context Protocol, over standard input and output.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BUILD } from '../../lib/process/version.ts';
import { addRequestOptions, type RecordingOptions, requestOf } from '../client/recording-options.ts';
import { RecordingTranscriber } from '../client/recording-transcriber.ts';
import { addCallOptions } from '../client/service-client.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { sanitise } from '../output.ts';

interface McpOptions extends Omit<RecordingOptions, 'format' | 'json'> {
  readonly root?: readonly string[];
  readonly privateUrls?: boolean;
}

const serve = async (options: McpOptions): Promise<void> => {
  const roots = (options.root ?? ['.']).map((root) => resolve(root));
  for (const root of roots)
    if (!(await stat(root).catch(() => null))?.isDirectory()) {
      console.error(`--root: ${sanitise(root)} is not a folder.`);
      process.exitCode = EXIT.usage;
      return;
    }
  const transcriber = await RecordingTranscriber.open(options);
  if (!transcriber) return;
  const [{ McpServer }, { serveStdio }, { registerTools }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
    import('../mcp/tools.ts'),
  ]);
  // Each call names its format.
  const request = await requestOf({ ...options, format: 'txt' });
  const stop = new AbortController();
  const readable = { roots, privateUrls: options.privateUrls ?? false };
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: 'faircopy', version: BUILD });
      registerTools(server, { transcriber, request, readable, signal: stop.signal });
      return server;
    },
    // Standard output carries the protocol and nothing else.
    { onerror: (error) => console.error(sanitise(error.message)) },
  );
  await inputEnds();
  stop.abort(new Error('The server is stopping.'));
  await handle.close();
  await transcriber.close();
};

/** Resolves when the client disconnects or a signal arrives. */
const inputEnds = (): Promise<void> =>
  new Promise((resolveEnd) => {
    const end = () => resolveEnd();
    process.stdin.once('end', end).once('close', end);
    process.once('SIGINT', end).once('SIGTERM', end);
  });

const addRoot = (root: string, roots: readonly string[] = []): readonly string[] => [...roots, root];

export const configureMcp: ConfigureCommand = (command) => {
  addRequestOptions(addCallOptions(command))
    .option(
      '--root <folder>',
      'a folder whose recordings may be read, by default the current one; may be repeated',
      addRoot,
    )
    .option('--private-urls', 'also fetch recordings from this machine and its network')
    .action(serve);
};
