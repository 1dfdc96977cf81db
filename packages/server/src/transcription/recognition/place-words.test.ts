import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { placeWords } from './place-words.ts';

const word = (startMs: number, endMs: number, text = 'understanding') => ({ startMs, endMs, text });
const VOICED = [word(600, 1_400), word(2_000, 2_900)];

test('the first word starts with the voice, not with the window', () => {
  assert.deepEqual(placeWords([word(0, 900)], VOICED), [word(600, 900)]);
});

test('a pause between two words belongs to neither', () => {
  assert.deepEqual(placeWords([word(1_000, 1_700), word(1_700, 2_400)], VOICED), [
    word(1_000, 1_400),
    word(2_000, 2_400),
  ]);
});

test('a word across a pause is placed after it if enough is heard there: its time may include a hesitation', () => {
  assert.deepEqual(placeWords([word(1_300, 2_600)], VOICED), [word(2_000, 2_600)]);
  assert.deepEqual(placeWords([word(800, 2_100)], VOICED), [word(800, 1_400)]);
  assert.deepEqual(placeWords([word(800, 2_100, 'the')], VOICED), [word(2_000, 2_100, 'the')]);
  assert.deepEqual(placeWords([word(1_390, 2_010, 'the')], VOICED), [word(1_390, 1_400, 'the')]);
});

test('a word in a silence moves to the nearest voice', () => {
  assert.deepEqual(placeWords([word(1_450, 1_600)], VOICED), [word(1_320, 1_400)]);
  assert.deepEqual(placeWords([word(1_800, 1_950)], VOICED), [word(2_000, 2_080)]);
});

test('a word that takes far too long is placed at its end, since speech before it was not recognised', () => {
  assert.deepEqual(placeWords([word(2_000, 2_900, 'we')], VOICED), [word(2_672, 2_900, 'we')]);
  assert.deepEqual(placeWords([word(2_000, 2_900, 'BBC')], VOICED), [word(2_000, 2_900, 'BBC')]);
  // Its end lies in a silence, so it is long because of the pause.
  assert.deepEqual(placeWords([word(1_200, 1_950, 'we')], VOICED), [word(1_200, 1_400, 'we')]);
});

test('without voice activity, times stay unchanged', () => {
  assert.deepEqual(placeWords([word(0, 900)], []), [word(0, 900)]);
});

test('starts never run backwards, and no word starts or ends outside the voice', () => {
  const lengths = fc.array(fc.tuple(fc.integer({ min: 200, max: 900 }), fc.integer({ min: 32, max: 2_000 })), {
    minLength: 1,
    maxLength: 6,
  });
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 900 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(lengths, steps, (spans, times) => {
      let at = 0;
      const voiced = spans.map(([silence, voice]) => {
        const stretch = word(at + silence, at + silence + voice);
        at = stretch.endMs;
        return stretch;
      });
      let from = 0;
      const words = times.map(([step, length]) => {
        from += step;
        return word(from, from + length);
      });
      const placed = placeWords(words, voiced);
      assert.equal(placed.length, words.length);
      const isVoiced = (ms: number) => voiced.some(({ startMs, endMs }) => ms >= startMs && ms <= endMs);
      placed.forEach((each, index) => {
        assert.ok(each.endMs >= each.startMs && each.startMs >= (placed[index - 1]?.startMs ?? 0));
        assert.ok(isVoiced(each.startMs) && isVoiced(each.endMs));
      });
    }),
  );
});
