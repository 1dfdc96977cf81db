// Packs atoms of speech into windows of the length a model likes, with their borders in the longest pauses.
import { SAMPLE_RATE_HZ } from '../audio/pcm.ts';
import type { Atom } from './atoms.ts';
import type { Rest, Slice, Window } from './window.ts';

export interface PackOptions {
  /** No window is longer than this, whatever it costs. */
  readonly windowSamplesMax: number;
  /** The length the packer aims at. */
  readonly windowSamplesTarget: number;
  /** A pause between atoms of one window is shortened to this, and never removed. */
  readonly pauseSamplesKept: number;
}

/** What the audio between two atoms costs inside one window. */
const pauseInside = (before: Atom, after: Atom, options: PackOptions): number =>
  Math.min(after.startSample - before.endSample, options.pauseSamplesKept);

const lengthCost = (samples: number, targetSamples: number): number => ((samples - targetSamples) / targetSamples) ** 2;

/** Ending a window in a word is dear, in a breath it is cheap, in a long pause it is free. */
const cutCost = (last: Atom, next: Atom): number => 2 * Math.exp(-restBetween(last, next) / SAMPLE_RATE_HZ / 0.35);

/** How long nothing is said between two atoms, in samples. */
const restBetween = (before: Atom, after: Atom): number => before.restSamples + after.startSample - before.endSample;

/** Bridging a long pause hides it from the refiner, which takes it as the end of a paragraph. */
const bridgeCost = (before: Atom, after: Atom): number => {
  const pauseSeconds = (after.startSample - before.endSample) / SAMPLE_RATE_HZ;
  return pauseSeconds > 1 ? Math.min(0.6, 0.1 * pauseSeconds) : 0;
};

/** The places between the atoms. */
export const restsOf = (atoms: readonly Atom[]): Rest[] =>
  atoms.slice(1).map((atom, index) => {
    const before = atoms[index]!;
    return {
      sample: Math.floor((before.endSample + atom.startSample) / 2),
      restSamples: restBetween(before, atom),
    };
  });

const windowOf = (atoms: readonly Atom[], options: PackOptions): Window => {
  const slices: Slice[] = [];
  const half = Math.floor(options.pauseSamplesKept / 2);
  let voicedSamples = 0;
  for (const atom of atoms) {
    const current = slices.at(-1);
    voicedSamples += atom.voicedSamples;
    if (!current) slices.push({ startSample: atom.startSample, endSample: atom.endSample });
    else if (atom.startSample - current.endSample <= options.pauseSamplesKept) {
      slices[slices.length - 1] = { startSample: current.startSample, endSample: atom.endSample };
    } else {
      slices[slices.length - 1] = { startSample: current.startSample, endSample: current.endSample + half };
      slices.push({ startSample: atom.startSample - half, endSample: atom.endSample });
    }
  }
  return { slices, voicedSamples, rests: restsOf(atoms) };
};

/** How long the atoms are when they are packed into one window. */
export const packedSamples = (atoms: readonly Atom[], options: PackOptions): number =>
  atoms.reduce((total, atom, index) => {
    const before = atoms[index - 1];
    return total + atom.endSample - atom.startSample + (before ? pauseInside(before, atom, options) : 0);
  }, 0);

/** The windows of least cost, over all ways to cut the row of atoms. Atoms are in order and none exceeds a window. */
export const pack = (atoms: readonly Atom[], options: PackOptions): Window[] => {
  /** costs[n]: least cost of packing the first n atoms; starts[n]: the first atom of the last window in that packing. */
  const costs: number[] = [0];
  const starts: number[] = [0];
  for (let end = 1; end <= atoms.length; end++) {
    let samples = 0;
    let bridges = 0;
    let best = Number.POSITIVE_INFINITY;
    for (let start = end - 1; start >= 0; start--) {
      const atom = atoms[start]!;
      const after = start + 1 < end ? atoms[start + 1] : undefined;
      samples += atom.endSample - atom.startSample + (after ? pauseInside(atom, after, options) : 0);
      if (samples > options.windowSamplesMax) break;
      if (after) bridges += bridgeCost(atom, after);
      const before = atoms[start - 1];
      const cost =
        costs[start]! +
        lengthCost(samples, options.windowSamplesTarget) +
        bridges +
        (before ? cutCost(before, atom) : 0);
      if (cost < best) {
        best = cost;
        starts[end] = start;
      }
    }
    costs[end] = best;
  }
  const windows: Window[] = [];
  for (let end = atoms.length; end > 0; end = starts[end]!) {
    windows.unshift(windowOf(atoms.slice(starts[end], end), options));
  }
  return windows;
};
