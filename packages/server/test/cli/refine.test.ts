// `faircopy refine` on lines: one in, one out, in order.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { BIN } from './run-cli.ts';

const refine = async (input: string, ...options: string[]): Promise<string> => {
  const child = spawn(process.execPath, [BIN, 'refine', ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  return text(child.stdout);
};

test('--lines refines each line separately', async () => {
  const out = await refine('um i i think so too\n\nuh the meeting is on tuesday no wednesday', '--lines', '-l', 'en');
  assert.equal(out, 'I think so too.\n\nThe meeting is on Wednesday.\n');
});

test('a line that is refined into several stays one line', async () => {
  const out = await refine('dear anna new paragraph thank you\nbye now then\n', '--lines', '-l', 'en');
  assert.equal(out.split('\n').length, 3);
});

test('--lines --json writes an object per line', async () => {
  const out = await refine('um yes it is\nno\n', '--lines', '--json', '-l', 'en', '--level', 'light');
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ text, rawText, edits }) => [text, rawText, edits.length]),
    [
      ['yes it is', 'um yes it is', 1],
      ['no', 'no', 0],
    ],
  );
});

test('a reader that leaves early ends the command quietly', async () => {
  const child = spawn(process.execPath, [BIN, 'refine', '--lines', '--level', 'none'], { stdio: 'pipe' });
  child.stdin.on('error', () => {});
  child.stdin.end('a line of text\n'.repeat(100_000));
  const errors = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, await errors], [0, '']);
});
