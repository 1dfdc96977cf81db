import assert from 'node:assert/strict';
import test from 'node:test';
import { storeProgress } from './progress.ts';

const written = (isTTY: boolean) => {
  const texts: string[] = [];
  return { texts, output: { isTTY, write: (text: string) => texts.push(text) } };
};

test('without a terminal, a few plain lines are written', () => {
  const { texts, output } = written(false);
  const progress = storeProgress(output);
  for (let done = 0; done <= 1000; done++) {
    progress.report({ kind: 'progress', label: 'toy', bytesDone: done * 1e4, bytesTotal: 1e7 });
  }
  progress.end();
  assert.equal(texts.length, 5);
  for (const text of texts) assert.match(text, /^toy: [\d.]+ MB of 10 MB\n$/);
});

test('on a terminal, one line is redrawn and ended when complete', () => {
  const { texts, output } = written(true);
  let time = 0;
  const progress = storeProgress(output, () => time);
  for (const done of [0, 5e6, 1e7]) {
    progress.report({ kind: 'progress', label: 'toy', bytesDone: done, bytesTotal: 1e7 });
    time += 1000;
  }
  assert.ok(texts.slice(0, 3).every((text) => text.startsWith('\r')));
  assert.equal(texts.at(-1), '\n');
});
