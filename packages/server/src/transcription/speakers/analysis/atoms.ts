// Cuts speech into segments at pauses and speaker changes, and long segments into atoms.
import { SECONDS_PER_FRAME } from '../../../speech/speakers/frames.ts';
import type { Atom, FrameRange } from '../types.ts';
import type { Consensus } from './consensus.ts';

const SPEECH_MIN = 0.5;
export const OVERLAP_MIN = 1.5;
const CHANGE_MIN = 0.35;
/** Windows place the same change a few frames apart. */
const CHANGE_SPREAD_FRAMES = 4;
const CHANGE_DISTANCE_FRAMES = 12;
const SEGMENT_FRAMES_MIN = 3;
/** With fewer frames without overlap than this, overlapped frames are pooled, too. */
const SOLO_FRAMES_MIN = 20;
const POOL_FRAMES_MIN = 8;
const POOL_MARGIN_FRAMES = 4;

export interface AtomLengths {
  /** A segment up to this long is one atom, and no embedding is pooled over more. */
  readonly poolSeconds: number;
  /** Approximate length of the atoms of longer segments. */
  readonly atomSeconds: number;
}

export const ATOM_LENGTHS: AtomLengths = { poolSeconds: 2, atomSeconds: 0.75 };

/** Without a segmentation model a pool may straddle a change of speakers, so it is kept shorter. */
export const ATOM_LENGTHS_BY_VOICE: AtomLengths = { poolSeconds: 1.5, atomSeconds: 0.75 };

export const secondsOf = ({ fromFrame, toFrame }: FrameRange): number => (toFrame - fromFrame) * SECONDS_PER_FRAME;

/** Runs of frames for which `isIn` holds. */
export const runsOf = (length: number, isIn: (at: number) => boolean): FrameRange[] => {
  const runs: FrameRange[] = [];
  let from = -1;
  for (let at = 0; at <= length; at++) {
    const inside = at < length && isIn(at);
    if (inside && from < 0) from = at;
    if (!inside && from >= 0) {
      runs.push({ fromFrame: from, toFrame: at });
      from = -1;
    }
  }
  return runs;
};

/** Speech between pauses and changes of speaker, in frames of the recording. */
export const segmentsOf = ({ fromFrame, speakers, change }: Consensus): FrameRange[] =>
  runsOf(speakers.length, (at) => speakers[at]! >= SPEECH_MIN).flatMap((run) => {
    const cuts = [
      run.fromFrame,
      ...changePoints(change.subarray(run.fromFrame, run.toFrame)).map((at) => at + run.fromFrame),
      run.toFrame,
    ];
    const ordered = [...new Set(cuts)].sort((a, b) => a - b);
    return ordered.slice(1).flatMap((to, index) => {
      const from = ordered[index]!;
      return to - from < SEGMENT_FRAMES_MIN ? [] : [{ fromFrame: from + fromFrame, toFrame: to + fromFrame }];
    });
  });

/** Peaks of the change evidence, summed over neighbouring frames. */
export const changePoints = (change: Float32Array): number[] => {
  const sums = Float64Array.from(change, (_, at) => {
    let sum = 0;
    const last = Math.min(change.length - 1, at + CHANGE_SPREAD_FRAMES);
    for (let i = Math.max(0, at - CHANGE_SPREAD_FRAMES); i <= last; i++) sum += change[i]!;
    return sum;
  });
  const points: number[] = [];
  for (;;) {
    let best = -1;
    for (let at = 0; at < sums.length; at++)
      if (sums[at]! >= CHANGE_MIN && (best < 0 || sums[at]! > sums[best]!)) best = at;
    if (best < 0) return points;
    points.push(centreOfEvidence(change, best));
    sums.fill(0, Math.max(0, best - CHANGE_DISTANCE_FRAMES), best + CHANGE_DISTANCE_FRAMES + 1);
  }
};

/** A change that all windows agree on makes a plateau of equal sums, with the change itself in the middle. */
const centreOfEvidence = (change: Float32Array, peak: number): number => {
  let sum = 0;
  let moment = 0;
  const last = Math.min(change.length - 1, peak + CHANGE_SPREAD_FRAMES);
  for (let at = Math.max(0, peak - CHANGE_SPREAD_FRAMES); at <= last; at++) {
    sum += change[at]!;
    moment += at * change[at]!;
  }
  return Math.round(moment / sum);
};

export const atomsOf = (segments: readonly FrameRange[], consensus: Consensus, lengths: AtomLengths): Atom[] =>
  segments.flatMap((segment) => {
    const frames = segment.toFrame - segment.fromFrame;
    const seconds = secondsOf(segment);
    const count = seconds > lengths.poolSeconds ? Math.max(1, Math.round(seconds / lengths.atomSeconds)) : 1;
    return Array.from({ length: count }, (_, index) => {
      const fromFrame = segment.fromFrame + Math.floor((frames * index) / count);
      const toFrame = segment.fromFrame + Math.floor((frames * (index + 1)) / count);
      const spans = poolSpans(fromFrame, toFrame, segment, consensus, lengths.poolSeconds);
      return { fromFrame, toFrame, spans, pooledSeconds: framesInSpans(spans) * SECONDS_PER_FRAME };
    });
  });

const framesInSpans = (spans: Int32Array): number => {
  let frames = 0;
  for (let i = 0; i < spans.length; i += 2) frames += spans[i + 1]! - spans[i]!;
  return frames;
};

/** Spans around the atom, within its segment, without overlapped frames if enough remain. Tiny ones get a margin. */
const poolSpans = (
  fromFrame: number,
  toFrame: number,
  segment: FrameRange,
  { fromFrame: base, speakers }: Consensus,
  poolSeconds: number,
): Int32Array => {
  const wanted = Math.round(poolSeconds / SECONDS_PER_FRAME);
  const middle = (fromFrame + toFrame) / 2;
  const first = Math.min(Math.round(middle - wanted / 2), segment.toFrame - wanted);
  const from = Math.max(segment.fromFrame, first);
  const to = Math.min(segment.toFrame, from + wanted);
  const solo = runsOf(to - from, (at) => speakers[from + at - base]! < OVERLAP_MIN).flatMap((run) => [
    from + run.fromFrame,
    from + run.toFrame,
  ]);
  const soloSpans = Int32Array.from(solo);
  if (framesInSpans(soloSpans) >= SOLO_FRAMES_MIN) return soloSpans;
  if (to - from >= POOL_FRAMES_MIN) return Int32Array.of(from, to);
  return Int32Array.of(Math.max(0, from - POOL_MARGIN_FRAMES), to + POOL_MARGIN_FRAMES);
};
