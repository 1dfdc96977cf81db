import assert from 'node:assert/strict';
import test from 'node:test';
import { WaitingAudio } from './waiting-audio.ts';

test("beyond its account's limit a session may hold one window, and other accounts' sessions continue", () => {
  const waiting = new WaitingAudio();
  waiting.change('a', 100);
  assert.equal(waiting.mayGrow('a', 100, 90), false);
  assert.equal(waiting.mayGrow('a', 20, 90), true);
  assert.equal(waiting.mayGrow('b', 100, 90), true);
  waiting.change('a', -50);
  assert.equal(waiting.mayGrow('a', 50, 90), true);
});

test('when too much audio waits in total, every session may hold one window', () => {
  const waiting = new WaitingAudio();
  for (let account = 0; account < 20; account++) waiting.change(String(account), 100);
  assert.equal(waiting.mayGrow('new', 21, 1_000), false);
  assert.equal(waiting.mayGrow('new', 20, 1_000), true);
  for (let account = 0; account < 20; account++) waiting.change(String(account), -100);
  assert.equal(waiting.mayGrow('new', 21, 1_000), true);
});
