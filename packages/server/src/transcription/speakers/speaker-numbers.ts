// Keeps speaker numbers stable when clusters are recomputed.

/** Seconds of speech that a cluster shares with a speaker number that was shown before. */
export interface Overlap {
  readonly cluster: number;
  readonly speaker: number;
  readonly seconds: number;
}

/**
 * The speaker number of each cluster. Clusters take the number they share most speech with, the largest overlap first;
 * each number is taken once, and a cluster without one gets a new number.
 */
export const keepSpeakerNumbers = (clusters: number, overlaps: readonly Overlap[], nextSpeaker: number): Int32Array => {
  const speakers = new Int32Array(clusters).fill(-1);
  const taken = new Set<number>();
  for (const { cluster, speaker } of overlaps.toSorted((a, b) => b.seconds - a.seconds)) {
    if (speakers[cluster] !== -1 || taken.has(speaker)) continue;
    speakers[cluster] = speaker;
    taken.add(speaker);
  }
  let next = nextSpeaker;
  return speakers.map((speaker) => (speaker === -1 ? next++ : speaker));
};

/** Sums overlaps of the same cluster and speaker. */
export class OverlapTable {
  readonly #seconds = new Map<string, Overlap>();

  add(cluster: number, speaker: number, seconds: number): void {
    const key = `${cluster} ${speaker}`;
    const before = this.#seconds.get(key)?.seconds ?? 0;
    this.#seconds.set(key, { cluster, speaker, seconds: before + seconds });
  }

  get all(): Overlap[] {
    return [...this.#seconds.values()];
  }
}
