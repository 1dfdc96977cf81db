import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FRAME_SAMPLES, WINDOW_FRAMES } from '../../../speech/speakers/frames.ts';
import type { SpeakerFeatures } from '../../../speech/speakers/speaker-features.ts';
import { TONE_EMBEDDING } from '../../../speech/testing/tone-speakers.ts';
import { diarize } from '../diarize.ts';
import { LiveSpeakers } from '../live-speakers.ts';
import { speakersOfWords } from '../words.ts';
import { SpeakerAnalyser } from './analyser.ts';
import { LiveAnalyser } from './live-analyser.ts';

/** Features of scripted audio: a sample's sign is the speaker, zero is silence. */
class ScriptedFeatures implements SpeakerFeatures {
  readonly embedding = TONE_EMBEDDING;
  readonly hasSegmentation: boolean;
  longestStretch = 0;

  constructor(hasSegmentation = true) {
    this.hasSegmentation = hasSegmentation;
  }

  async segment(samples: Float32Array, starts: readonly number[]): Promise<Uint8Array[]> {
    return starts.map((start) =>
      Uint8Array.from({ length: WINDOW_FRAMES }, (_, frame) => {
        const value = samples[start + frame * FRAME_SAMPLES] ?? 0;
        return value > 0 ? 1 : value < 0 ? 2 : 0;
      }),
    );
  }

  async embed(stretch: Float32Array, regions: readonly Int32Array[]) {
    this.longestStretch = Math.max(this.longestStretch, stretch.length);
    const embeddings = regions.map((spans) => {
      let sum = 0;
      for (let i = 0; i < spans.length; i += 2) {
        for (let frame = spans[i]!; frame < spans[i + 1]!; frame++)
          sum += Math.sign(stretch[frame * FRAME_SAMPLES] ?? 0);
      }
      return sum === 0 ? null : Float32Array.of(sum > 0 ? 1 : 0, sum < 0 ? 1 : 0);
    });
    return { embeddings, band: { low: 1, high: 1 } };
  }
}

/** Turns of the given seconds by two alternating speakers, with half a second of silence after each. */
const scripted = (seconds: readonly number[]): Float32Array => {
  const turns = seconds.map((length, index) => {
    const samples = new Float32Array(Math.round((length + 0.5) * 16_000));
    return samples.fill(index % 2 === 0 ? 1 : -1, 0, Math.round(length * 16_000));
  });
  const all = new Float32Array(turns.reduce((sum, turn) => sum + turn.length, 0));
  let at = 0;
  for (const turn of turns) {
    all.set(turn, at);
    at += turn.length;
  }
  return all;
};

const analyse = async (features: SpeakerFeatures, samples: Float32Array, pieceSamples: number) => {
  const analyser = new SpeakerAnalyser(features);
  for (let at = 0; at < samples.length; at += pieceSamples) await analyser.push(samples.slice(at, at + pieceSamples));
  return analyser.end();
};

test('every turn of a recording of any length is found, however the audio is split', async () => {
  const turns = fc.array(fc.integer({ min: 3, max: 90 }), { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(turns, fc.integer({ min: 20_000, max: 400_000 }), async (seconds, piece) => {
    const samples = scripted(seconds);
    const features = new ScriptedFeatures();
    const { turns: found } = diarize(await analyse(features, samples, piece));
    let start = 0;
    const words = seconds.map((length) => {
      const word = { startSeconds: start + 0.1, endSeconds: start + length - 0.1 };
      start += length + 0.5;
      return word;
    });
    const labels = speakersOfWords(words, found);
    assert.deepEqual(
      labels,
      seconds.map((_, index) => index % 2),
    );
    assert.ok(features.longestStretch <= 60 * 16_000);
    const spoken = found.reduce((sum, turn) => sum + turn.endSeconds - turn.startSeconds, 0);
    assert.ok(Math.abs(spoken - seconds.reduce((sum, length) => sum + length, 0)) < 0.05 * seconds.length + 0.1);
  });
  await fc.assert(property, { numRuns: 25 });
});

test('without the segmentation model, voice activity determines where speech is', async () => {
  const samples = scripted([3, 4, 3, 5]);
  const analyser = new SpeakerAnalyser(new ScriptedFeatures(false));
  for (const [start, end] of [
    [0, 3],
    [3.5, 7.5],
    [8, 11],
    [11.5, 16.5],
  ] as const)
    analyser.addSpeech(start, end);
  await analyser.push(samples);
  const { turns, speakers } = diarize(await analyser.end());
  assert.equal(speakers.length, 2);
  assert.deepEqual(
    turns.map(({ speaker }) => speaker),
    [0, 1, 0, 1],
  );
});

test('empty, very short and silent audio has no speakers', async () => {
  for (const samples of [new Float32Array(0), new Float32Array(100), new Float32Array(200_000)]) {
    const { turns } = diarize(await analyse(new ScriptedFeatures(), samples, 50_000));
    assert.deepEqual(turns, []);
  }
});

test('a live utterance is analysed only from audio up to its end', async () => {
  const samples = scripted([4, 5, 4]);
  const analyser = new LiveAnalyser(new ScriptedFeatures());
  const live = new LiveSpeakers();
  const labels: number[] = [];
  let heard = 0;
  for (const [start, end] of [
    [0, 4.2],
    [4.5, 9.7],
    [10, 14.2],
  ] as const) {
    analyser.push(samples.subarray(heard, Math.round(end * 16_000)));
    heard = Math.round(end * 16_000);
    const { turns } = live.add(await analyser.analyse(start, end));
    assert.ok(turns.every(({ startSeconds, endSeconds }) => startSeconds >= start - 0.05 && endSeconds <= end));
    labels.push(...new Set(turns.map(({ speaker }) => speaker)));
  }
  assert.deepEqual(labels, [0, 1, 0]);
});
