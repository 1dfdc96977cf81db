// How long windows are and when they are settled, for files and for streams.
import { secondsToSamples } from '../../audio/pcm.ts';
import type { PackOptions } from './pack-windows.ts';

export interface WindowPolicy extends PackOptions {
  /** With this much packed speech at hand the first window of it is settled. */
  readonly lookAheadSamples: number;
  /** With this much packed speech a pause settles all of it; infinite when pauses settle nothing. */
  readonly settleAtPauseSamples: number;
  /** Speech that has waited this long for more speech is settled as it is, since its audio is held in memory. */
  readonly spreadSamplesMax: number;
  /** A recording up to this long is recognised whole: cutting costs a short clip more than it saves. */
  readonly wholeClipSamplesMax: number;
  /** Whether a whole clip keeps the silence after its last word. */
  readonly wholeClipEnd: 'recording' | 'speech';
  /** A tail with less speech than this is not recognised by itself, but together with what stands before it. */
  readonly tailSamplesMin: number;
  /** Recognisers that may work on one recording at the same time. */
  readonly slots: number;
  /** Speech is not cut into shorter windows than this for the sake of working in parallel. */
  readonly parallelSamplesMin: number;
}

/**
 * A file can wait to see what comes. A stream settles what was said at each pause, and without pauses in shorter windows,
 * so that little is left at its end.
 */
export const windowPolicy = (mode: 'file' | 'stream', slots: number): WindowPolicy => ({
  windowSamplesMax: mode === 'file' ? secondsToSamples(20) : secondsToSamples(12),
  windowSamplesTarget: mode === 'file' ? secondsToSamples(14) : secondsToSamples(10),
  // The spans bring their own edges: a second of the real pause stays as it is.
  pauseSamplesKept: 0,
  // More than a window, or the first of them would end with what is being said.
  lookAheadSamples: mode === 'file' ? secondsToSamples(40) : secondsToSamples(15),
  settleAtPauseSamples: mode === 'file' ? Number.POSITIVE_INFINITY : secondsToSamples(6),
  spreadSamplesMax: secondsToSamples(45),
  wholeClipSamplesMax: secondsToSamples(5),
  wholeClipEnd: mode === 'file' ? 'recording' : 'speech',
  tailSamplesMin: secondsToSamples(1.5),
  slots,
  parallelSamplesMin: secondsToSamples(10),
});
