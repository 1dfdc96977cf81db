// Speech to measure with: six voices at three noise levels, because noisy speech takes longer.
import { readFile } from 'node:fs/promises';
import { joinSamples } from '../../audio/join-samples.ts';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { assetPath } from '../asset-path.ts';

/** Signal-to-noise ratios. Together they cost each tier about as much time as read speech of many people. */
const NOISE_DB = [4, 2, 0] as const;
/** The talk is cut into this many recordings of usual length. */
const PARTS = 2;
/** Low-pass filter that makes the noise sound like a room: the share of the previous sample. */
const NOISE_SMOOTHING = 0.7;

const decode = async (decoding: UploadDecoding, path: string): Promise<Float32Array> => {
  const decoder = decoding.open({ maxDurationSeconds: 600 });
  const chunks: Float32Array[] = [];
  const reading = (async () => {
    for await (const chunk of decoder) chunks.push(chunk);
  })();
  await decoder.write(await readFile(path));
  decoder.end();
  await reading;
  return joinSamples(chunks);
};

const powerOf = (samples: Float32Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0);

/** Always the same noise, so that two runs measure the same work. */
const roomNoise = (length: number): Float32Array => {
  let state = 1;
  let last = 0;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    last = NOISE_SMOOTHING * last + (state / 2 ** 31 - 1);
    return last;
  });
};

const inNoise = (speech: Float32Array, decibels: number): Float32Array => {
  const noise = roomNoise(speech.length);
  const gain = Math.sqrt(powerOf(speech) / powerOf(noise) / 10 ** (decibels / 10));
  return speech.map((sample, at) => Math.max(-1, Math.min(1, sample + gain * noise[at]!)));
};

/** Recordings of about 24 s, the easier ones first. */
export const sampleSpeech = async (decoding: UploadDecoding): Promise<readonly Float32Array[]> => {
  const talk = await decode(decoding, assetPath('talk.ogg'));
  const samples = Math.floor(talk.length / PARTS);
  return NOISE_DB.flatMap((decibels) => {
    const noisy = inNoise(talk, decibels);
    return Array.from({ length: PARTS }, (_, nth) => noisy.slice(nth * samples, (nth + 1) * samples));
  });
};
