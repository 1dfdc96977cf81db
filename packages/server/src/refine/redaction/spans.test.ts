import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Token, tokenise } from '../token.ts';
import { redactText } from './redact.ts';
import { overlapping, RedactedOffsets, united, widened } from './spans.ts';

const span = (rawStart: number, rawEnd: number, mark = '') => ({ rawStart, rawEnd, mark });
const tokensOf = (text: string): readonly Token[] =>
  tokenise([{ text, startMs: 0, endMs: 0, language: 'en', confidence: 1 }], 'en').tokens;

test('overlapping spans become one, which is named like the first one listed', () => {
  assert.deepEqual(united([span(4, 6, 'b'), span(8, 9, 'c'), span(5, 8, 'd'), span(0, 5, 'a')]), [
    span(0, 8, 'b'),
    span(8, 9, 'c'),
  ]);
  assert.deepEqual(united([]), []);
});

test('an overlapping span is found at its borders, and none between spans', () => {
  const spans = [span(2, 4), span(4, 6), span(9, 12)];
  assert.deepEqual(
    [
      [0, 2],
      [0, 3],
      [4, 5],
      [3, 10],
      [6, 9],
      [11, 20],
      [12, 20],
    ].map(([start, end]) => overlapping(spans, start!, end!)),
    [-1, 0, 1, 0, -1, 2, -1],
  );
  assert.equal(overlapping([], 0, 1), -1);
});

/** Words at these places; the text is of no matter. */
const wordsAt = (places: readonly (readonly [number, number])[]): Token[] =>
  places.map(([rawStart, rawEnd]) => ({ ...tokensOf('word')[0]!, rawStart, rawEnd }));

test('an entity covers whole words, also where the words of two readings overlap in a chain', () => {
  const readings = [
    wordsAt([
      [0, 5],
      [10, 20],
    ]),
    wordsAt([
      [3, 12],
      [20, 25],
      [7, 7],
    ]),
  ];
  assert.deepEqual(widened([span(1, 2, 'a'), span(15, 16, 'b'), span(30, 31, 'c')], readings), [
    span(0, 20, 'a'),
    span(30, 31, 'c'),
  ]);
  assert.deepEqual(widened([span(1, 2)], []), [span(1, 2)]);
});

test('widened entities are apart, in order, and cut no word', () => {
  const place = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 8 })).map(([at, length]) => [at, at + length] as const);
  const places = fc.array(place, { maxLength: 12 });
  const property = fc.property(places, places, places, (entities, raw, refined) => {
    const readings = [wordsAt(raw), wordsAt(refined)];
    const apart = united(entities.map(([from, to]) => span(from, to)));
    const wide = widened(apart, readings);
    for (const [n, { rawStart, rawEnd }] of wide.entries()) {
      assert.ok(n === 0 || wide[n - 1]!.rawEnd <= rawStart);
      for (const token of readings.flat())
        if (token.rawStart < rawEnd && rawStart < token.rawEnd)
          assert.ok(token.rawStart >= rawStart && token.rawEnd <= rawEnd);
    }
    for (const { rawStart, rawEnd } of apart) {
      const around = wide[overlapping(wide, rawStart, rawEnd)];
      assert.ok(around && around.rawStart <= rawStart && around.rawEnd >= rawEnd);
    }
  });
  fc.assert(property, { seed: 20_261_119 });
});

test('offsets before, in, between and after marks', () => {
  const offsets = new RedactedOffsets('call 555 0187, or 42 now', [span(5, 14, '[PHONE_1]'), span(18, 20, '[N_1]')]);
  assert.equal(offsets.text, 'call [PHONE_1], or [N_1] now');
  assert.deepEqual(
    [0, 5, 6, 13, 14, 18, 19, 20, 24].map((offset) => [offsets.at(offset, 'start'), offsets.at(offset, 'end')]),
    [
      [0, 0],
      [5, 5],
      [5, 15],
      [5, 15],
      [15, 15],
      [19, 19],
      [19, 24],
      [24, 24],
      [28, 28],
    ],
  );
  assert.equal(offsets.between(6, 18), ' or ');
  assert.equal(offsets.between(5, 18), '[PHONE_1], or ');
});

// It would take long if any step compared every word or entity with every other.
test('a text of 30,000 words with 15,000 entities', () => {
  const rawText = Array.from({ length: 15_000 }, () => 'call 4242').join(' ');
  const tokens = tokensOf(rawText);
  const found = tokens.filter((_, n) => n % 2 === 1).map(({ rawStart, rawEnd }) => span(rawStart + 1, rawEnd, '[N_1]'));
  const spans = widened(united(found.toReversed()), [tokens, tokens]);
  assert.equal(spans.length, 15_000);
  const { rawText: shown, tokens: left } = redactText({ rawText, tokens, records: [] }, spans);
  assert.equal(shown, rawText.replaceAll('4242', '[N_1]'));
  assert.deepEqual([left.at(-2)?.core, left.at(-1)?.core, left.at(-1)?.rawEnd], ['call', '[N_1]', shown.length]);
});
