// Made-up speakers: embeddings around directions of their own, and windows in which they take turns.
import { WINDOW_FRAMES } from '../../../speech/speakers/frames.ts';
import type { ActivityWindow, EmbeddedAtom } from '../types.ts';
import { normalise } from '../vectors.ts';

const DIMENSIONS = 24;

/** A generator of numbers from −1 to 1 that a seed repeats. */
export const numbersFrom = (seed: number): (() => number) => {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};

/** An embedding of a speaker: axis `speaker`, with noise. */
export const madeEmbedding = (speaker: number, noise: number, next: () => number): Float32Array => {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => noise * next());
  vector[speaker]! += 1;
  return normalise(vector);
};

export const ATOM_FRAMES = 60;

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

/** A window from a string: a digit per frame block of ten, 0 for silence, else the bits of the local speakers. */
export const madeWindow = (firstFrame: number, blocks: string): ActivityWindow => {
  const bits = new Uint8Array(WINDOW_FRAMES);
  [...blocks].forEach((digit, block) => {
    bits.fill(Number(digit), block * 10, block * 10 + 10);
  });
  return { firstFrame, bits };
};
