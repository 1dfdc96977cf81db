// Synthetic speakers for tests: embeddings around one axis per speaker, and windows in which they take turns.
import { seededRandom } from '../../../lib/seeded-random.ts';
import { WINDOW_FRAMES } from '../../../speech/speakers/frames.ts';
import type { ActivityWindow, EmbeddedAtom } from '../types.ts';
import { normalise } from '../vectors.ts';

const DIMENSIONS = 24;

/** A seeded generator of numbers from −1 to 1. */
export const numbersFrom = (seed: number): (() => number) => {
  const random = seededRandom(seed);
  return () => 2 * random() - 1;
};

/** An embedding of a speaker: axis `speaker`, with noise. */
export const madeEmbedding = (speaker: number, noise: number, next: () => number): Float32Array => {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => noise * next());
  vector[speaker]! += 1;
  return normalise(vector);
};

const ATOM_FRAMES = 60;

/** One atom after the other, each by the given speaker, with a short pause between them. */
export const madeAtoms = (speakers: readonly number[], noise = 0.15, seed = 1): EmbeddedAtom[] => {
  const next = numbersFrom(seed);
  return speakers.map((speaker, index) => {
    const fromFrame = index * (ATOM_FRAMES + 4);
    const toFrame = fromFrame + ATOM_FRAMES;
    return {
      fromFrame,
      toFrame,
      spans: Int32Array.of(fromFrame, toFrame),
      pooledSeconds: 1,
      embedding: madeEmbedding(speaker, noise, next),
    };
  });
};

/** A window from a string: one digit per block of ten frames, 0 for silence, else the bits of the local speakers. */
export const madeWindow = (firstFrame: number, blocks: string): ActivityWindow => {
  const bits = new Uint8Array(WINDOW_FRAMES);
  [...blocks].forEach((digit, block) => {
    bits.fill(Number(digit), block * 10, block * 10 + 10);
  });
  return { firstFrame, bits };
};
