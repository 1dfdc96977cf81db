// How long windows are and when they are committed, for files and for streams.
import { secondsToSamples } from '../../audio/pcm.ts';
import type { PackOptions } from './pack-windows.ts';

export interface WindowPolicy extends PackOptions {
  /** With this much packed speech, commit its first window. */
  readonly lookAheadSamples: number;
  /** With this much packed speech, a pause commits all of it; infinite when pauses commit nothing. */
  readonly settleAtPauseSamples: number;
  /** Commit speech that has waited this long for more, since its audio is held in memory. */
  readonly spreadSamplesMax: number;
  /** Recognise recordings up to this length whole: cutting a short clip costs more than it saves. */
  readonly wholeClipSamplesMax: number;
  /** Whether a whole clip keeps the silence after its last word. */
  readonly wholeClipEnd: 'recording' | 'speech';
  /** A tail with less speech than this is recognised together with the speech before it. */
  readonly tailSamplesMin: number;
  /** Recognisers that may work on one recording in parallel. */
  readonly slots: number;
  /** Minimum length of a window that is cut for parallel work. */
  readonly parallelSamplesMin: number;
}

/**
 * A file can wait for more audio. A stream commits at each pause, and in shorter windows without pauses, so that little
 * is left to do at its end.
 */
export const windowPolicy = (mode: 'file' | 'stream', slots: number): WindowPolicy => ({
  windowSamplesMax: mode === 'file' ? secondsToSamples(20) : secondsToSamples(12),
  windowSamplesTarget: mode === 'file' ? secondsToSamples(14) : secondsToSamples(10),
  // More than one window; otherwise the first one would have to end at the latest word.
  lookAheadSamples: mode === 'file' ? secondsToSamples(40) : secondsToSamples(15),
  settleAtPauseSamples: mode === 'file' ? Number.POSITIVE_INFINITY : secondsToSamples(6),
  spreadSamplesMax: secondsToSamples(45),
  wholeClipSamplesMax: secondsToSamples(5),
  wholeClipEnd: mode === 'file' ? 'recording' : 'speech',
  tailSamplesMin: secondsToSamples(1.5),
  slots,
  parallelSamplesMin: secondsToSamples(10),
});
