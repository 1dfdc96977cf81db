// `faircopy transcribe`: sends recordings to a running service and prints what was said.
import { constants, createReadStream, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Faircopy, UploadProgress } from '@faircopy/client';
import type { SuccessResponse } from '@faircopy/contract';
import { type AddCommand, EXIT } from '../command.ts';
import { harmless, print } from '../output.ts';
import {
  addServiceOptions,
  errorJson,
  exitCodeOf,
  openClient,
  printable,
  type ServiceOptions,
  sentenceOf,
  wholeNumber,
} from '../service-client.ts';
import { StatusLine } from '../status-line.ts';

interface TranscribeOptions extends ServiceOptions {
  readonly concurrency: number;
}

/** What has become of one file. */
type Outcome = { readonly answer: SuccessResponse } | { readonly failure: unknown };

/** A plain file is read as it is sent; a pipe, as in <(arecord …), can only be read once, so it is read before. */
const blobOf = async (file: string): Promise<Blob> => {
  if (file === '-') return drained(process.stdin);
  // What Node says of a file it cannot open names a blob.
  await access(file, constants.R_OK);
  return (await stat(file)).isFile() ? openAsBlob(file) : drained(createReadStream(file));
};

const drained = async (source: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return new Blob(chunks);
};

/** What is under way, in a few words. */
class Progress {
  readonly #line = new StatusLine();
  readonly #fileCount: number;
  readonly #doing = new Map<string, string>();
  #done = 0;

  constructor(fileCount: number) {
    this.#fileCount = fileCount;
  }

  uploading(file: string, { sentBytes, totalBytes }: UploadProgress): void {
    const percent = Math.floor((100 * sentBytes) / Math.max(1, totalBytes));
    this.#doing.set(file, percent < 100 ? `sending ${percent} %` : 'listening');
    this.#show();
  }

  done(file: string): void {
    this.#doing.delete(file);
    this.#done += 1;
    this.#show();
  }

  hide(): void {
    this.#line.clear();
  }

  #show(): void {
    const files = [...this.#doing].map(([file, what]) => `${harmless(basename(file))}: ${what}`);
    this.#line.show([`${this.#done}/${this.#fileCount}`, ...files].join('  '));
  }
}

const transcribe = async (files: readonly string[], options: TranscribeOptions): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  const progress = new Progress(files.length);
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  const outcomes = startAll(client, files, options, progress, stop.signal);
  const exitCodes = new Set<number>();
  try {
    // In the order of the files, whichever is ready first.
    for (const [index, file] of files.entries()) {
      const outcome = await outcomes[index]!;
      progress.hide();
      if ('failure' in outcome) exitCodes.add(exitCodeOf(outcome.failure));
      if (!(await printOutcome(file, outcome, files.length, options))) return;
    }
  } finally {
    stop.abort(new Error('stopped'));
    process.off('SIGINT', onInterrupt);
    progress.hide();
  }
  process.exitCode = exitCodes.size > 1 ? EXIT.failed : ([...exitCodes][0] ?? EXIT.ok);
};

/** A few at a time; every promise settles, and none rejects. */
const startAll = (
  client: Faircopy,
  files: readonly string[],
  { model, language, concurrency }: TranscribeOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Outcome>[] => {
  const running: Promise<unknown>[] = [];
  return files.map((file, index) => {
    const turn = running[index - concurrency] ?? Promise.resolve();
    const outcome = turn.then(async (): Promise<Outcome> => {
      try {
        signal.throwIfAborted();
        const onProgress = (sent: UploadProgress) => progress.uploading(file, sent);
        const answer = await client.transcribe(await blobOf(file), {
          model,
          language,
          fileName: file === '-' ? 'audio' : basename(file),
          signal,
          onProgress,
        });
        return { answer };
      } catch (failure) {
        return { failure };
      } finally {
        progress.done(file);
      }
    });
    running.push(outcome);
    return outcome;
  });
};

/** False when nobody reads on. */
const printOutcome = async (
  file: string,
  outcome: Outcome,
  fileCount: number,
  { json }: TranscribeOptions,
): Promise<boolean> => {
  if (json) {
    const answer = 'answer' in outcome ? outcome.answer : errorJson(outcome.failure);
    return print(`${JSON.stringify({ file, ...answer })}\n`);
  }
  if ('failure' in outcome) {
    console.error(`${harmless(file)}: ${sentenceOf(outcome.failure)}`);
    return true;
  }
  const title = fileCount > 1 ? `${harmless(file)}:\n` : '';
  return print(`${title}${printable(outcome.answer.result.transcript)}\n${fileCount > 1 ? '\n' : ''}`);
};

export const addTranscribe: AddCommand = (program) => {
  addServiceOptions(
    program
      .command('transcribe')
      .description('transcribe recordings (wav, ogg, webm) with a running service')
      .argument('<file...>', 'recordings; - reads one from standard input'),
  )
    .option('--concurrency <n>', 'files at the same time', wholeNumber(1, 64), 2)
    .action(transcribe);
};
