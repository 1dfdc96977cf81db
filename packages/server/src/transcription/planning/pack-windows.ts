// Packs speech units into windows of about the target length, with their borders in the longest pauses.
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { SpeechUnit } from './speech-units.ts';
import { lengthOf, type Pause, type Slice, type Window } from './window.ts';

export interface PackOptions {
  /** Hard limit on the length of a window. */
  readonly windowSamplesMax: number;
  /** Target length. */
  readonly windowSamplesTarget: number;
}

const lengthCost = (samples: number, targetSamples: number): number => ((samples - targetSamples) / targetSamples) ** 2;

/** Ending a window inside a word costs most, at a breath little, in a long pause almost nothing. */
const cutCost = (last: SpeechUnit, next: SpeechUnit): number =>
  2 * Math.exp(-pauseBetween(last, next) / SAMPLE_RATE_HZ / 0.35);

/** Samples of silence between two units. */
const pauseBetween = (before: SpeechUnit, after: SpeechUnit): number =>
  before.pauseSamples + after.startSample - before.endSample;

/** Bridging a long pause hides it from the refiner, which would end a paragraph there. */
const bridgeCost = (before: SpeechUnit, after: SpeechUnit): number => {
  const pauseSeconds = (after.startSample - before.endSample) / SAMPLE_RATE_HZ;
  return pauseSeconds > 1 ? Math.min(0.6, 0.1 * pauseSeconds) : 0;
};

/** The pauses between the units. */
export const pausesOf = (units: readonly SpeechUnit[]): Pause[] =>
  units.slice(1).map((unit, index) => {
    const before = units[index]!;
    return {
      sample: Math.floor((before.endSample + unit.startSample) / 2),
      pauseSamples: pauseBetween(before, unit),
    };
  });

/** Leaves the gaps between units out: units include their padding, which keeps up to one second of each real pause. */
const windowOf = (units: readonly SpeechUnit[]): Window => {
  const slices: Slice[] = [];
  let voicedSamples = 0;
  for (const { startSample, endSample, voicedSamples: voiced } of units) {
    voicedSamples += voiced;
    const last = slices.at(-1);
    if (last?.endSample === startSample) slices[slices.length - 1] = { startSample: last.startSample, endSample };
    else slices.push({ startSample, endSample });
  }
  return { slices, voicedSamples, pauses: pausesOf(units) };
};

/** Length of the units packed into one window. */
export const packedSamples = (units: readonly SpeechUnit[]): number =>
  units.reduce((total, unit) => total + lengthOf(unit), 0);

/** The cheapest of all ways to divide the units into windows. Units are in order, and each fits into a window. */
export const packWindows = (units: readonly SpeechUnit[], options: PackOptions): Window[] => {
  /** costs[n]: least cost of packing the first n units; starts[n]: first unit of the last window in that packing. */
  const costs: number[] = [0];
  const starts: number[] = [0];
  for (let end = 1; end <= units.length; end++) {
    let samples = 0;
    let bridges = 0;
    let best = Number.POSITIVE_INFINITY;
    for (let start = end - 1; start >= 0; start--) {
      const unit = units[start]!;
      const after = start + 1 < end ? units[start + 1] : undefined;
      samples += lengthOf(unit);
      if (samples > options.windowSamplesMax) break;
      if (after) bridges += bridgeCost(unit, after);
      const before = units[start - 1];
      const cost =
        costs[start]! +
        lengthCost(samples, options.windowSamplesTarget) +
        bridges +
        (before ? cutCost(before, unit) : 0);
      if (cost < best) {
        best = cost;
        starts[end] = start;
      }
    }
    costs[end] = best;
  }
  const windows: Window[] = [];
  for (let end = units.length; end > 0; end = starts[end]!) {
    windows.unshift(windowOf(units.slice(starts[end], end)));
  }
  return windows;
};
