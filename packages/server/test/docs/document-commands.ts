// Reads the commands of the documents: lines of shell blocks, commands between backticks, JavaScript for the client.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DocumentCommand {
  /** The document, relative to the repository. */
  readonly document: string;
  readonly command: string;
  /** Lines of blocks are meant to be copied; text between backticks may be only a part of a command. */
  readonly isBlock: boolean;
}

export interface DocumentScript {
  readonly document: string;
  readonly code: string;
}

const CLIENT_README = 'packages/client/README.md';
const SHELL = new Set(['', 'bash', 'sh']);
const PROGRAMS =
  'curl|docker|faircopy|ffmpeg|helm|journalctl|kubectl|node|npm|npx|openssl|pg_dump|sudo|arecord|echo|export';
const STARTS_WITH_PROGRAM = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${PROGRAMS})\\b`);

const documentsOf = (root: string): string[] => [
  'README.md',
  CLIENT_README,
  'examples/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const blocksOf = (text: string): { language: string; body: string }[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, body]) => ({ language: language!, body: body! }));

/** A line may continue after a backslash, and may end with a comment. */
const linesOf = (block: string): string[] =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s{2,})#.*$/, '').trim())
    .filter((line) => line !== '');

/** A block is shell when each of its lines begins with a program; a Caddyfile is not. */
const isShell = ({ language, body }: { language: string; body: string }): boolean =>
  SHELL.has(language) && linesOf(body).every((line) => STARTS_WITH_PROGRAM.test(line));

export const commandsOf = (root: string): DocumentCommand[] =>
  documentsOf(root).flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const inBlocks = blocksOf(text)
      .filter(isShell)
      .flatMap(({ body }) => linesOf(body));
    const inline = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)]
      .map(([, code]) => code!)
      .filter((code) => STARTS_WITH_PROGRAM.test(code) && / /.test(code));
    return [
      ...inBlocks.map((command) => ({ document, command, isBlock: true })),
      ...inline.map((command) => ({ document, command, isBlock: false })),
    ];
  });

/**
 * Programs for Node that use the client. Those in the client's README run in test/stream/readme.test.ts, those with
 * an import for a bundler in `npm run test:packages`.
 */
export const scriptsOf = (root: string): DocumentScript[] =>
  documentsOf(root)
    .filter((document) => document !== CLIENT_README)
    .flatMap((document) =>
      blocksOf(readFileSync(join(root, document), 'utf8'))
        .filter(({ language }) => language === 'js' || language === 'ts')
        .filter(({ body }) => body.includes("'@faircopy/client'") && !body.includes('?url'))
        .map(({ body }) => ({ document, code: body })),
    );

/** The words after `faircopy` in a command, without shell syntax; undefined when it calls another program. */
export const faircopyArguments = (command: string): string[] | undefined => {
  const [, call] = /(?:^|[\s|])faircopy ([a-z][^|<>&]*)/.exec(command) ?? [];
  if (call === undefined) return undefined;
  return [...call.replaceAll(/[[\]]/g, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
};
