import assert from 'node:assert/strict';
import test from 'node:test';
import { LocalAgreement, type ReadWords } from './local-agreement.ts';

/** Words of 300 ms each from `startMs`, in audio that ends at `endMs`; `word:30` has a confidence of only 30 %. */
const reading = (text: string, startMs: number, endMs: number, endsInPause = false): ReadWords => ({
  words: text.split(' ').map((part, at) => {
    const [word = '', percent = '80'] = part.split(':');
    return {
      text: word,
      startMs: startMs + 300 * at,
      endMs: startMs + 300 * (at + 1),
      confidence: Number(percent) / 100,
    };
  }),
  startMs,
  endMs,
  endsInPause,
});
const shown = ({ words, committed }: ReturnType<LocalAgreement['add']>) => [
  words.map(({ text }) => text).join(' '),
  committed,
];

test('words that two readings agree on are committed, whatever comes later', () => {
  const agreement = new LocalAgreement(0);
  assert.deepEqual(shown(agreement.add(reading('we met at', 0, 1_500))), ['we met at', 0]);
  assert.deepEqual(shown(agreement.add(reading('We met, a noon', 0, 2_000))), ['We met, a noon', 2]);
  assert.deepEqual(shown(agreement.add(reading('he met a noon there', 0, 2_500))), ['We met, a noon there', 4]);
});

test('a word that may be cut off is shown only with high confidence or before a pause', () => {
  const last = (text: string, endsInPause = false) =>
    shown(new LocalAgreement(0).add(reading(text, 0, 1_210, endsInPause)))[0];
  assert.equal(last('we met at noo'), 'we met at');
  assert.equal(last('we met at noon:95'), 'we met at noon');
  assert.equal(last('we met at noon', true), 'we met at noon');
});

test('words are shown up to the first doubtful one, with a lower threshold for earlier speech', () => {
  const text = (words: string) => shown(new LocalAgreement(0).add(reading(words, 0, 1_500)))[0];
  assert.equal(text('we met:20 at noon'), 'we');
  assert.equal(text('we met:40 at noon'), 'we met at noon');
  assert.equal(text('we met at noon:40'), 'we met at');
});

test('an agreement continues after known words', () => {
  const known = reading('we met', 0, 900).words;
  const agreement = new LocalAgreement(0, known);
  assert.deepEqual(shown(agreement.add(reading('he met at noon', 0, 2_000))), ['we met at noon', 2]);
});

test('a reading that begins at committed words continues after them', () => {
  const agreement = new LocalAgreement(0);
  const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
  agreement.add(reading(words, 0, 6_000));
  assert.equal(shown(agreement.add(reading(words, 0, 6_000)))[1], 16);
  const fromMs = agreement.readFromMs(6_000, 800);
  assert.ok(fromMs > 3_000 && fromMs <= 4_000);
  assert.equal(agreement.committedFrom(fromMs)[0]?.startMs, fromMs);
  const rest = reading(
    `${words
      .split(' ')
      .slice(fromMs / 300)
      .join(' ')} seventeen`,
    fromMs,
    6_000,
  );
  assert.deepEqual(shown(agreement.add(rest)), [`${words} seventeen`, 16]);
});

test('a reading of a whole long utterance adds only its new words, even if it spells known words differently', () => {
  const words = Array.from({ length: 60 }, (_, nth) => `word${nth}`);
  const agreement = new LocalAgreement(0);
  const said = words.slice(0, 58).join(' ');
  agreement.add(reading(said, 0, 18_000));
  agreement.add(reading(said, 0, 18_000));
  const whole = words.with(7, 'ward7').toSpliced(20, 1).join(' ');
  assert.deepEqual(shown(agreement.add(reading(whole, 0, 18_000, true))), [words.join(' '), 58]);
});
