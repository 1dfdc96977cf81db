// Decides which groups of items are speakers, and returns a centroid for each.
import { averageLinkage, groupsAfter, type Merge } from './linkage.ts';
import type { DiarizationParameters } from './parameters.ts';
import type { SpeakerCount } from './types.ts';
import { addScaled, dot, nearestTo, normalise } from './vectors.ts';

/** An atom, or a group of atoms that an earlier step has merged. */
export interface Item {
  /** Weighted mean of unit embeddings: the product of two such means is the mean similarity of their members. */
  readonly vector: Float32Array;
  readonly weight: number;
  /** Speech in it. */
  readonly seconds: number;
}

/** More cuts of the tree than these are not tried for a given count. */
const EXTRA_GROUPS_MAX = 6;
const REFINEMENTS = 2;

/** Similarities of all items, n × n; `bonus` is added where given. */
export const similaritiesOf = (items: readonly Item[], bonus?: Float32Array, factor = 0): Float32Array => {
  const n = items.length;
  const similarities = new Float32Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++) {
      const value = dot(items[a]!.vector, items[b]!.vector) + (bonus ? factor * bonus[a * n + b]! : 0);
      similarities[a * n + b] = value;
      similarities[b * n + a] = value;
    }
  }
  return similarities;
};

/** `similarities` is overwritten. */
export const speakersAmong = (
  items: readonly Item[],
  similarities: Float32Array,
  stop: number,
  limits: SpeakerCount,
  parameters: DiarizationParameters,
): Float32Array[] => {
  if (items.length === 0) return [];
  const merges = averageLinkage(
    similarities,
    items.map(({ weight }) => weight),
  );
  if (limits.count !== undefined) return exactly(limits.count, items, merges, parameters);
  const groups = membersOf(groupsAfter(items.length, merges, mergesAbove(merges, stop)));
  const found = audibleGroups(items, groups, stop, parameters);
  if (limits.max !== undefined && found.length > limits.max) return exactly(limits.max, items, merges, parameters);
  if (limits.min !== undefined && found.length < limits.min) return exactly(limits.min, items, merges, parameters);
  return found;
};

export const mergesAbove = (merges: readonly Merge[], stop: number): number => {
  const below = merges.findIndex(({ similarity }) => similarity < stop);
  return below < 0 ? merges.length : below;
};

export const membersOf = (groups: Int32Array): number[][] => {
  const members: number[][] = [];
  groups.forEach((group, item) => {
    members[group] ??= [];
    members[group].push(item);
  });
  return members;
};

const centroidOf = (items: readonly Item[], members: readonly number[]): Float32Array => {
  const sum = new Float32Array(items[0]!.vector.length);
  for (const member of members) addScaled(sum, items[member]!.vector, items[member]!.weight);
  return normalise(sum);
};

const secondsOf = (items: readonly Item[], members: readonly number[]): number =>
  members.reduce((sum, member) => sum + items[member]!.seconds, 0);

/** A cough or a single odd word makes a group of its own. Groups that small are not speakers; short ones must be clearly different. */
const audibleGroups = (
  items: readonly Item[],
  groups: readonly (readonly number[])[],
  stop: number,
  parameters: DiarizationParameters,
): Float32Array[] => {
  const seconds = groups.map((group) => secondsOf(items, group));
  const total = seconds.reduce((sum, value) => sum + value, 0);
  const longest = Math.max(...seconds);
  // A share of little speech, more seconds in long recordings, where outliers that resemble each other add up.
  const more = parameters.secondsPerSecond * total;
  const least = Math.min(parameters.speakerSecondsMin + more, parameters.speakerShareMin * total, longest);
  const short = Math.min(parameters.shortGroupSeconds + 2 * more, parameters.shortGroupShare * total);
  const audible = groups.filter((_, group) => seconds[group]! >= least);
  const means = audible.map((group) => meanOf(items, group));
  const isDistinct = audible.map((group, index) => {
    const own = secondsOf(items, group);
    if (own >= short || own === longest) return true;
    return means.every(
      (mean, other) => other === index || dot(mean, means[index]!) < stop - parameters.shortGroupMargin,
    );
  });
  return audible.filter((_, index) => isDistinct[index]).map((group) => centroidOf(items, group));
};

const meanOf = (items: readonly Item[], members: readonly number[]): Float32Array => {
  const sum = new Float32Array(items[0]!.vector.length);
  const weight = members.reduce((total, member) => total + items[member]!.weight, 0);
  for (const member of members) addScaled(sum, items[member]!.vector, items[member]!.weight / weight);
  return sum;
};

/**
 * The given number of speakers. Cutting the tree there may waste a speaker on an outlier, so deeper cuts are tried too:
 * their largest groups serve if all items are clearly nearer to them.
 */
const exactly = (
  count: number,
  items: readonly Item[],
  merges: readonly Merge[],
  { droppedGroupCost }: DiarizationParameters,
): Float32Array[] => {
  let best: { readonly score: number; readonly centroids: Float32Array[] } | undefined;
  const most = Math.min(items.length, count + EXTRA_GROUPS_MAX);
  for (let groups = Math.min(count, items.length); groups <= most; groups++) {
    const members = membersOf(groupsAfter(items.length, merges, items.length - groups));
    const largest = members.toSorted((a, b) => secondsOf(items, b) - secondsOf(items, a)).slice(0, count);
    const { centroids, similarity } = refined(
      items,
      largest.map((group) => centroidOf(items, group)),
    );
    const score = similarity - droppedGroupCost * Math.max(0, groups - count);
    if (!best || score > best.score) best = { score, centroids };
  }
  return best?.centroids ?? [];
};

/** A few steps of k-means, and the mean similarity of all items to the nearest centroid. */
const refined = (items: readonly Item[], start: readonly Float32Array[]) => {
  let centroids = [...start];
  for (let step = 0; step < REFINEMENTS; step++) {
    const members = centroids.map((): number[] => []);
    items.forEach(({ vector }, item) => {
      members[nearestTo(vector, centroids)]!.push(item);
    });
    centroids = centroids.map((centroid, index) =>
      members[index]!.length > 0 ? centroidOf(items, members[index]!) : centroid,
    );
  }
  let sum = 0;
  let weights = 0;
  for (const { vector, weight } of items) {
    sum += weight * dot(vector, centroids[nearestTo(vector, centroids)]!);
    weights += weight;
  }
  return { centroids, similarity: sum / weights };
};
