import assert from 'node:assert/strict';
import test from 'node:test';
import { StatusLine } from './status-line.ts';

const terminal = (columns: number) => {
  const written: string[] = [];
  const out = { isTTY: true, columns, write: (text: string) => written.push(text) };
  return { written, line: new StatusLine(out as unknown as NodeJS.WriteStream) };
};

test('a line that is too long shows its start, or its end for captions', () => {
  const { written, line } = terminal(10);
  line.show('one two three');
  line.show('one two three four', 'end');
  line.show('short', 'end');
  assert.deepEqual(written, ['\rone two t\x1b[K', '\r…ree four\x1b[K', '\rshort\x1b[K']);
});
