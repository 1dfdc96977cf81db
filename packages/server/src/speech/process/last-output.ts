// Keeps the end of a child process's standard error, for error messages.
import type { Readable } from 'node:stream';

const CHARS_MAX = 4_000;

/** The returned function gives the last characters so far. */
export const lastOutput = (stream: Readable | null): (() => string) => {
  let text = '';
  stream?.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-CHARS_MAX);
  });
  return () => text.trim();
};
