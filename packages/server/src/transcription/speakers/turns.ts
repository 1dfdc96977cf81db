// Makes turns from labelled atoms, with a second speaker where speech overlaps.
import { frameStartSeconds, SECONDS_PER_FRAME } from '../../speech/speakers/frames.ts';
import { OVERLAP_MIN, runsOf } from './analysis/atoms.ts';
import type { Consensus } from './analysis/consensus.ts';
import type { Atom, SpeakerTurn } from './types.ts';

/** Overlapped speech also goes to the other speaker who talks nearest in time, at most this far away. */
const OTHER_WITHIN_FRAMES = Math.floor(6 / SECONDS_PER_FRAME);
const NOBODY = -1;

/** Sorted by start. The atoms must lie within the consensus; `labels` holds a speaker per atom. */
export const turnsOf = (
  atoms: readonly Atom[],
  labels: ArrayLike<number>,
  consensus: Consensus,
  audioSeconds: number,
): SpeakerTurn[] => {
  const { fromFrame: base, speakers } = consensus;
  const frames = speakers.length;
  const primary = new Int16Array(frames).fill(NOBODY);
  const secondary = new Int16Array(frames).fill(NOBODY);
  atoms.forEach(({ fromFrame, toFrame }, atom) => {
    primary.fill(labels[atom]!, fromFrame - base, toFrame - base);
  });
  const overlaps = runsOf(frames, (at) => speakers[at]! >= OVERLAP_MIN && primary[at] !== NOBODY);
  for (const { fromFrame, toFrame } of overlaps) {
    secondary.fill(nearestOther(primary, fromFrame, toFrame), fromFrame, toFrame);
  }
  return [...turnsIn(primary, secondary, base, audioSeconds)].sort(
    (a, b) => a.startSeconds - b.startSeconds || a.speaker - b.speaker,
  );
};

const nearestOther = (primary: Int16Array, fromFrame: number, toFrame: number): number => {
  const speaker = primary[(fromFrame + toFrame) >> 1]!;
  for (let distance = 1; distance < OTHER_WITHIN_FRAMES; distance++) {
    for (const at of [fromFrame - distance, toFrame + distance - 1]) {
      const other = primary[at] ?? NOBODY;
      if (other !== NOBODY && other !== speaker) return other;
    }
  }
  return NOBODY;
};

const turnsIn = function* (
  primary: Int16Array,
  secondary: Int16Array,
  base: number,
  audioSeconds: number,
): Iterable<SpeakerTurn> {
  const speakers = new Set([...new Set(primary), ...new Set(secondary)].filter((speaker) => speaker !== NOBODY));
  for (const speaker of speakers) {
    for (const run of runsOf(primary.length, (at) => primary[at] === speaker || secondary[at] === speaker)) {
      const startSeconds = frameStartSeconds(base + run.fromFrame);
      const endSeconds = Math.min(audioSeconds, frameStartSeconds(base + run.toFrame));
      if (startSeconds < endSeconds) yield { startSeconds, endSeconds, speaker };
    }
  }
};
