import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SEGMENTER_SETTINGS, SpeechSegmenter, type SpeechSpan } from './segmenter.ts';

const FRAME = 512;
const LEAD = SEGMENTER_SETTINGS.leadMs * 16;
const PAD = SEGMENTER_SETTINGS.paddingMs * 16;
/** `'.'` is silence, `'x'` clear speech, `'-'` the soft edge of speech. */
const frames = (drawing: string): number[] =>
  [...drawing].map((mark) => ({ '.': 0.01, x: 0.95, '-': 0.25 })[mark] ?? 0);
const spansOf = (drawing: string, totalSamples = drawing.length * FRAME): SpeechSpan[] => {
  const segmenter = new SpeechSegmenter();
  return [...segmenter.push(frames(drawing)).closed, ...segmenter.end(totalSamples).closed];
};

test('silence has no span', () => assert.deepEqual(spansOf('.'.repeat(200)), []));

test('speech is padded on both sides and closed by a long pause', () => {
  const drawing = `${'.'.repeat(20)}${'x'.repeat(30)}${'.'.repeat(40)}`;
  const segmenter = new SpeechSegmenter();
  const view = segmenter.push(frames(drawing));
  assert.deepEqual(view.closed, [
    { startSample: 20 * FRAME - LEAD, endSample: 50 * FRAME + PAD, voicedSamples: 30 * FRAME },
  ]);
  assert.equal(view.open, null);
  assert.equal(view.pauseSamples, 40 * FRAME);
});

test('padding never exceeds the audio', () => {
  assert.deepEqual(spansOf('x'.repeat(10), 10 * FRAME - 100), [
    { startSample: 0, endSample: 10 * FRAME - 100, voicedSamples: 10 * FRAME },
  ]);
});

test('a short pause does not split a span; soft frames continue one but do not start it', () => {
  assert.equal(spansOf(`${'x'.repeat(10)}${'.'.repeat(10)}${'x'.repeat(10)}`).length, 1);
  assert.equal(spansOf('-'.repeat(50)).length, 0);
  const held = spansOf(`${'x'.repeat(10)}${'-'.repeat(40)}${'x'.repeat(10)}`);
  assert.equal(held.length, 1);
  assert.equal(held[0]?.voicedSamples, 60 * FRAME);
});

test('a click is not speech, and does not affect the next span', () => {
  const drawing = `${'.'.repeat(10)}x${'.'.repeat(30)}${'x'.repeat(20)}`;
  const spans = spansOf(drawing);
  assert.equal(spans.length, 1);
  assert.equal(spans[0]?.startSample, 41 * FRAME - LEAD);
});

test('the open span is visible while it is spoken, with the pause since its last word', () => {
  const segmenter = new SpeechSegmenter();
  assert.equal(segmenter.push(frames('...')).open, null);
  segmenter.push(frames('x'.repeat(30)));
  const { open, pauseSamples, judgedSamples } = segmenter.push(frames('.....'));
  assert.deepEqual(open, { startSample: 0, voicedEndSample: 33 * FRAME, voicedSamples: 30 * FRAME });
  assert.equal(pauseSamples, 5 * FRAME);
  assert.equal(judgedSamples, 38 * FRAME);
});

test('the grouping of frames does not matter, and spans never overlap', () => {
  const probabilities = fc.array(fc.constantFrom(0, 0.1, 0.25, 0.4, 0.6, 0.9), { maxLength: 400 });
  fc.assert(
    fc.property(probabilities, fc.integer({ min: 1, max: 50 }), (all, step) => {
      const whole = new SpeechSegmenter();
      const expected = [...whole.push(all).closed, ...whole.end(all.length * FRAME).closed];
      const cut = new SpeechSegmenter();
      const got: SpeechSpan[] = [];
      for (let at = 0; at < all.length; at += step) got.push(...cut.push(all.slice(at, at + step)).closed);
      got.push(...cut.end(all.length * FRAME).closed);
      assert.deepEqual(got, expected);
      let last = 0;
      for (const span of got) {
        assert.ok(span.startSample >= last && span.endSample > span.startSample);
        assert.ok(span.endSample <= all.length * FRAME);
        last = span.endSample;
      }
    }),
  );
});
