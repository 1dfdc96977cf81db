// Assigns every atom to one of the speakers found.

import { trackEvidence, type WindowShares } from './analysis/tracks.ts';
import type { DiarizationParameters } from './parameters.ts';
import type { EmbeddedAtom } from './types.ts';
import { addScaled, dot, nearestTo, normalise } from './vectors.ts';

export interface Assignment {
  readonly labels: Int32Array;
  /** How sure each label is, from 0.5 (two speakers fit equally well) to 1. */
  readonly confidences: Float32Array;
  readonly centroids: readonly Float32Array[];
}

const ROUNDS = 2;
/** Difference in similarity at which a label is right about three times in four. */
const CONFIDENCE_SCALE = 0.1;

/** First by nearest centroid; then with centroids of all speech, and evidence from the segmentation model's tracks. */
export const assignAtoms = (
  atoms: readonly EmbeddedAtom[],
  start: readonly Float32Array[],
  windows: readonly WindowShares[],
  { trackEvidence: factor }: DiarizationParameters,
): Assignment => {
  const speakers = start.length;
  let centroids = start;
  let labels = Int32Array.from(atoms, ({ embedding }) => nearestTo(embedding, centroids));
  const confidences = new Float32Array(atoms.length).fill(1);
  if (speakers < 2) return { labels, confidences, centroids };
  for (let round = 0; round < ROUNDS; round++) {
    centroids = centroidsOf(atoms, labels, centroids);
    const evidence = trackEvidence(windows, atoms, labels, speakers);
    labels = Int32Array.from(atoms, ({ embedding }, atom) => {
      let best = 0;
      let first = Number.NEGATIVE_INFINITY;
      let second = Number.NEGATIVE_INFINITY;
      for (let speaker = 0; speaker < speakers; speaker++) {
        const score = dot(embedding, centroids[speaker]!) + factor * evidence[atom * speakers + speaker]!;
        if (score > first) {
          second = first;
          first = score;
          best = speaker;
        } else if (score > second) second = score;
      }
      confidences[atom] = 1 / (1 + Math.exp((second - first) / CONFIDENCE_SCALE));
      return best;
    });
  }
  return { labels, confidences, centroids };
};

/** A speaker that has lost all atoms keeps its centroid. */
const centroidsOf = (
  atoms: readonly EmbeddedAtom[],
  labels: Int32Array,
  before: readonly Float32Array[],
): Float32Array[] => {
  const sums = before.map((centroid) => new Float32Array(centroid.length));
  const has = new Set<number>();
  atoms.forEach(({ embedding, pooledSeconds }, atom) => {
    addScaled(sums[labels[atom]!]!, embedding, pooledSeconds);
    has.add(labels[atom]!);
  });
  return sums.map((sum, speaker) => (has.has(speaker) ? normalise(sum) : before[speaker]!));
};
