import assert from 'node:assert/strict';
import test from 'node:test';
import { redactedKinds } from '@faircopy/contract';
import type { Refined } from '../../refine/refiner.ts';
import { textInput } from '../../refine/refiner.ts';
import { SessionRedaction } from './session-redaction.ts';

const wordsOf = (text: string) =>
  text.split(' ').map((word, n) => ({ text: ` ${word}`, startMs: 10 * n, endMs: 10 * n + 9, confidence: 1 }));
const interimOf = (text: string, language = 'en') => {
  const words = wordsOf(text);
  return { startMs: 0, endMs: 9_000, words, committed: words.length, language };
};

// It would take long if every word were compared with every hidden stretch.
test('a long recording: each hidden stretch becomes one word, and no term inside is left', () => {
  const text = Array.from({ length: 15_000 }, () => 'so 42 42').join(' ');
  const spans = Array.from({ length: 15_000 }, (_, n) => ({ rawStart: 9 * n + 3, rawEnd: 9 * n + 8, mark: '[N_1]' }));
  const input = textInput(text, 'en');
  const refined: Refined = {
    ...{ text, rawText: text, edits: [], numbersRestored: 0, fallback: null },
    redaction: { spans, known: [] },
  };
  const terms = spans.flatMap(({ rawStart }) => [
    { start: rawStart - 3, end: rawStart - 1 },
    { start: rawStart + 3, end: rawStart + 5 },
  ]);
  const segments = [{ ...input.pieces[0]!, noSpeechProbability: 0 }];
  const redaction = new SessionRedaction(redactedKinds(['pii']));
  const hidden = redaction.conceal({ segments, words: wordsOf(text) }, input, refined, terms as never);
  assert.equal(hidden.words.length, 30_000);
  assert.deepEqual(hidden.words.at(-1), { text: ' [N_1]', startMs: 449_980, endMs: 449_999, confidence: 1 });
  assert.equal(hidden.terms.length, 15_000);
  assert.equal(hidden.segments[0]?.text, Array.from({ length: 15_000 }, () => 'so [N_1]').join(' '));
});

test('an interim that repeats the words of the last one follows what changed since', () => {
  const redaction = new SessionRedaction(redactedKinds(['phone']));
  const shown = (text: string, language = 'en') =>
    redaction
      .concealInterim(interimOf(text, language))
      .words.map((word) => word.text.trim())
      .join(' ');
  const card = '4242 4242 4242 4242 okay thanks';
  assert.equal(shown(card), card);
  assert.equal(shown(card), card);
  redaction.setKinds(redactedKinds(['pii']));
  assert.equal(shown(card), '[CARD_1] okay thanks');
  assert.equal(shown('0187 okay thanks'), '0187 okay thanks');
  const final = textInput('call me on 212 555', 'en');
  redaction.remember(final, { ...({} as Refined), redaction: { spans: [], known: [] } });
  assert.equal(shown('0187 okay thanks'), '[PHONE_1] okay thanks');
});
