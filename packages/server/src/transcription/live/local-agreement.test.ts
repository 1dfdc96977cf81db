import assert from 'node:assert/strict';
import test from 'node:test';
import { LocalAgreement } from './local-agreement.ts';

/** Words of 300 ms each from a time on; `word:30` is one of which the recogniser is only 30 % sure. */
const reading = (text: string, fromMs = 0) =>
  text.split(' ').map((part, at) => {
    const [word = '', percent = '90'] = part.split(':');
    return {
      text: word,
      startMs: fromMs + 300 * at,
      endMs: fromMs + 300 * (at + 1),
      confidence: Number(percent) / 100,
    };
  });
const shown = ({ words, committed }: ReturnType<LocalAgreement['add']>) => [
  words.map(({ text }) => text).join(' '),
  committed,
];

test('words that two readings agree on are committed, whatever comes later', () => {
  const agreement = new LocalAgreement(0);
  assert.deepEqual(shown(agreement.add(reading('we met at'), 0, 1_500)), ['we met at', 0]);
  assert.deepEqual(shown(agreement.add(reading('We met, a noon'), 0, 2_000)), ['We met, a noon', 2]);
  assert.deepEqual(shown(agreement.add(reading('he met a noon there'), 0, 2_500)), ['We met, a noon there', 4]);
});

test('a word that may be cut off, or that is not sure, is not shown yet', () => {
  const agreement = new LocalAgreement(0);
  assert.deepEqual(shown(agreement.add(reading('we met at noo'), 0, 1_210)), ['we met at', 0]);
  const other = new LocalAgreement(0);
  assert.deepEqual(shown(other.add(reading('we met:20 at noon'), 0, 2_000)), ['we', 0]);
});

test('a reading that begins at committed words goes on after them', () => {
  const agreement = new LocalAgreement(0);
  const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
  agreement.add(reading(words), 0, 6_000);
  assert.equal(shown(agreement.add(reading(words), 0, 6_000))[1], 16);
  const fromMs = agreement.readFromMs(6_000);
  assert.ok(fromMs > 2_000 && fromMs < 4_800);
  const rest = reading(
    `${words
      .split(' ')
      .slice(fromMs / 300)
      .join(' ')} seventeen`,
    fromMs,
  );
  assert.deepEqual(shown(agreement.add(rest, fromMs, 6_000)), [`${words} seventeen`, 16]);
});
