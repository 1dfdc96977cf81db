// Evidence from local tracks: two atoms in one window that the segmentation model gave to the same local speaker are
// likely to be one person, and atoms of different local speakers are not.
import { firstIndex } from '../../../lib/first-index.ts';
import type { ActivityWindow, FrameRange } from '../types.ts';
import { secondsOf } from './atoms.ts';

const LOCAL_SPEAKERS = 3;
/** At least this part of an atom must lie in the window. */
const PART_MIN = 0.6;
/** At least this share of it must be speech there. */
const SPEECH_SHARE_MIN = 0.3;

/** The atoms in one window, and the share of each in which every local speaker talks. */
export interface WindowShares {
  readonly atoms: readonly number[];
  /** Three per atom, from 0 to 1. */
  readonly shares: Float32Array;
}

/** Atoms must be in order. Windows with fewer than two atoms carry no evidence and are left out. */
export const windowShares = (windows: readonly ActivityWindow[], atoms: readonly FrameRange[]): WindowShares[] =>
  windows.flatMap((window) => {
    const inside: number[] = [];
    const shares: number[] = [];
    const first = firstIndex(atoms, ({ toFrame }) => toFrame > window.firstFrame);
    for (let index = first; index < atoms.length; index++) {
      const atom = atoms[index]!;
      if (atom.fromFrame >= window.firstFrame + window.bits.length) break;
      const share = sharesOf(window, atom);
      if (share === null) continue;
      inside.push(index);
      shares.push(...share);
    }
    return inside.length < 2 ? [] : [{ atoms: inside, shares: Float32Array.from(shares) }];
  });

const sharesOf = ({ firstFrame, bits }: ActivityWindow, { fromFrame, toFrame }: FrameRange): number[] | null => {
  const from = Math.max(0, fromFrame - firstFrame);
  const to = Math.min(bits.length, toFrame - firstFrame);
  if (to - from <= PART_MIN * (toFrame - fromFrame)) return null;
  const counts = new Array<number>(LOCAL_SPEAKERS).fill(0);
  for (let at = from; at < to; at++) {
    for (let speaker = 0; speaker < LOCAL_SPEAKERS; speaker++) counts[speaker]! += (bits[at]! >> speaker) & 1;
  }
  const shares = counts.map((count) => count / (to - from));
  return shares.reduce((sum, share) => sum + share, 0) > SPEECH_SHARE_MIN ? shares : null;
};

/**
 * Agreement of local tracks between items, from −1 to 1, 0 where no window holds both; n × n, row by row.
 * `itemOf` gives the item of an atom, or −1 for an atom without one.
 */
export const trackAgreement = (
  windows: readonly WindowShares[],
  itemOf: ArrayLike<number>,
  items: number,
): Float32Array => {
  const agreement = new Float32Array(items * items);
  const counts = new Uint8Array(items * items);
  for (const { atoms, shares } of windows) {
    const lengths = atoms.map((_, i) => Math.hypot(shares[3 * i]!, shares[3 * i + 1]!, shares[3 * i + 2]!));
    for (let i = 0; i < atoms.length; i++) {
      const a = itemOf[atoms[i]!] ?? -1;
      if (a < 0) continue;
      for (let j = 0; j < i; j++) {
        const b = itemOf[atoms[j]!] ?? -1;
        if (b < 0) continue;
        let dot = 0;
        for (let s = 0; s < LOCAL_SPEAKERS; s++) dot += shares[3 * i + s]! * shares[3 * j + s]!;
        const value = (2 * dot) / (lengths[i]! * lengths[j]!) - 1;
        agreement[a * items + b]! += value;
        agreement[b * items + a]! += value;
        counts[a * items + b]! += 1;
        counts[b * items + a]! += 1;
      }
    }
  }
  return agreement.map((sum, at) => (counts[at]! > 0 ? sum / counts[at]! : 0));
};

/**
 * For each atom, the speakers of the other atoms in its local tracks; [atoms × speakers], each row sums to at most 1.
 */
export const trackEvidence = (
  windows: readonly WindowShares[],
  atoms: readonly FrameRange[],
  labels: Int32Array,
  speakers: number,
): Float32Array => {
  const evidence = new Float32Array(atoms.length * speakers);
  const counts = new Uint16Array(atoms.length);
  const table = new Float64Array(LOCAL_SPEAKERS * speakers);
  for (const { atoms: inside, shares } of windows) {
    table.fill(0);
    const lengths = inside.map((atom) => secondsOf(atoms[atom]!));
    for (let i = 0; i < inside.length; i++) {
      const label = labels[inside[i]!]!;
      for (let s = 0; s < LOCAL_SPEAKERS; s++) table[s * speakers + label]! += shares[3 * i + s]! * lengths[i]!;
    }
    for (let i = 0; i < inside.length; i++) {
      const atom = inside[i]!;
      const label = labels[atom]!;
      const all = shares[3 * i]! + shares[3 * i + 1]! + shares[3 * i + 2]!;
      counts[atom]! += 1;
      for (let s = 0; s < LOCAL_SPEAKERS; s++) {
        // Leave out the atom itself, which must not confirm its own label.
        const own = shares[3 * i + s]! * lengths[i]!;
        let total = -own;
        for (let speaker = 0; speaker < speakers; speaker++) total += table[s * speakers + speaker]!;
        if (total <= 1e-6) continue;
        for (let speaker = 0; speaker < speakers; speaker++) {
          const others = table[s * speakers + speaker]! - (speaker === label ? own : 0);
          evidence[atom * speakers + speaker]! += ((shares[3 * i + s]! / all) * others) / total;
        }
      }
    }
  }
  for (let atom = 0; atom < atoms.length; atom++) {
    for (let speaker = 0; speaker < speakers; speaker++)
      evidence[atom * speakers + speaker]! /= Math.max(1, counts[atom]!);
  }
  return evidence;
};
