import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { RecognisedWord, Recognition } from '../../speech/recogniser.ts';
import { recognitionOf } from '../../speech/testing/recogniser-fixtures.ts';
import { recordingMs, type Slice, type Window, windowEndMs, windowSamples, windowStartMs } from '../planning/window.ts';
import { assemble, type RecognisedWindow } from './assemble.ts';

const recognition = (text: string, of: Partial<Recognition> = {}): Recognition =>
  recognitionOf({ text, languages: [{ language: 'en', probability: 0.9 }], ...of });
const windowOf = (...slices: [startMs: number, endMs: number][]): Window => ({
  slices: slices.map(([startMs, endMs]) => ({ startSample: startMs * 16, endSample: endMs * 16 })),
  voicedSamples: slices.reduce((total, [startMs, endMs]) => total + (endMs - startMs) * 16, 0),
  pauses: [],
});
const word = (text: string, startMs: number, endMs: number): RecognisedWord => ({
  text,
  startMs,
  endMs,
  confidence: 0.5,
});

const windows = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 5_000 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts): Window => {
    let at = 0;
    const slices: Slice[] = parts.map(([gap, length]) => {
      const startSample = at + gap * 16;
      at = startSample + length * 16;
      return { startSample, endSample: at };
    });
    return { slices, voicedSamples: at, pauses: [] };
  });

test('times in a window map into its slices and never go backwards', () => {
  fc.assert(
    fc.property(windows, fc.array(fc.double({ min: -10, max: 40_000, noNaN: true })), (window, times) => {
      let last = -1;
      for (const ms of times.sort((a, b) => a - b)) {
        const at = recordingMs(window, ms);
        assert.ok(at >= last && at >= windowStartMs(window) && at <= windowEndMs(window));
        const inSlice = window.slices.some((slice) => at * 16 >= slice.startSample && at * 16 <= slice.endSample);
        assert.ok(inSlice, `${at} ms lies in a pause`);
        last = at;
      }
      assert.equal(recordingMs(window, windowSamples(window) / 16), windowEndMs(window));
    }),
  );
});

test('words and segments have recording times, and a left-out pause splits the text', () => {
  const window = windowOf([1_000, 2_000], [6_000, 7_000]);
  const words = [word('"One,', 100, 300), word('two', 400, 600), word('three.', 1_100, 1_500)];
  const { segments, words: placed } = assemble([
    { window, recognition: recognition(' "One, two three." ', { words }) },
  ]);
  assert.deepEqual(
    placed.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
    [
      ['"One,', 1_100, 1_300],
      ['two', 1_400, 1_600],
      ['three.', 6_100, 6_500],
    ],
  );
  assert.deepEqual(
    segments.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
    [
      ['"One, two', 1_100, 1_600],
      ['three."', 6_100, 6_500],
    ],
  );
});

test('the text stays whole when the words do not spell it', () => {
  const window = windowOf([0, 1_000], [5_000, 6_000]);
  const words = [word('other', 0, 100), word('words', 1_100, 1_200)];
  const { segments } = assemble([{ window, recognition: recognition('what was said', { words }) }]);
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['what was said'],
  );
});

test('no text is lost and the order is kept, whatever the words', () => {
  const texts = fc.array(fc.array(fc.constantFrom('ja', 'da', 'die', 'a', 'la'), { maxLength: 6 }), { maxLength: 6 });
  fc.assert(
    fc.property(texts, windows, (all, window) => {
      const durationMs = windowSamples(window) / 16;
      const recognised: RecognisedWindow[] = all.map((words) => ({
        window,
        recognition: recognition(words.join(' '), {
          words: words.map((text, index) =>
            word(text, (durationMs * index) / words.length, (durationMs * (index + 1)) / words.length),
          ),
        }),
      }));
      const { segments, words } = assemble(recognised);
      const expected = all.flat();
      assert.equal(segments.map(({ text }) => text).join(' '), expected.join(' '));
      assert.deepEqual(
        words.map(({ text }) => text),
        expected,
      );
    }),
  );
});

test('the language is that of most of the speech, weighted by length and probability', () => {
  const recognised = (seconds: number, language: string, probability: number, text = 'x') => ({
    window: windowOf([0, seconds * 1_000]),
    recognition: recognition(text, { languages: [{ language, probability }] }),
  });
  assert.equal(assemble([recognised(10, 'de', 0.9), recognised(4, 'en', 0.99)]).language, 'de');
  assert.equal(assemble([recognised(10, 'de', 0.3), recognised(10, 'en', 0.4)]).language, null);
  assert.equal(assemble([recognised(10, 'de', 0.9, ''), recognised(2, 'en', 0.9)]).language, 'en');
  assert.equal(assemble([recognised(10, 'de', 0.9, '  ')]).language, null);
  assert.equal(assemble([]).language, null);
});
