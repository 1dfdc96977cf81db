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
  /** Seconds of speech. */
  readonly seconds: number;
}

/** For a given count, at most this many deeper cuts of the tree are tried. */
const EXTRA_GROUPS_MAX = 6;
const REFINEMENTS = 2;

/** Similarities of all items, n × n, plus `factor` times `bonus` if given. */
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
  const merges = mergesOf(items, similarities);
  if (limits.count !== undefined) return exactly(limits.count, items, merges, parameters);
  const found = audibleGroups(groupsAbove(stop, items, merges), stop, parameters);
  if (limits.max !== undefined && found.length > limits.max) return exactly(limits.max, items, merges, parameters);
  if (limits.min !== undefined && found.length < limits.min) return exactly(limits.min, items, merges, parameters);
  return found;
};

/** Joins the items that are more alike than `stop`. `similarities` is overwritten. */
export const joinAlike = (items: readonly Item[], similarities: Float32Array, stop: number): Item[] =>
  groupsAbove(stop, items, mergesOf(items, similarities)).map(joinItems);

/** One item for several. Mean vectors keep average linkage between groups exact. */
export const joinItems = (items: readonly Item[]): Item => {
  const weight = items.reduce((sum, item) => sum + item.weight, 0);
  return { vector: sumOf(items).map((value) => value / weight), weight, seconds: totalSeconds(items) };
};

const mergesOf = (items: readonly Item[], similarities: Float32Array): Merge[] =>
  averageLinkage(
    similarities,
    items.map(({ weight }) => weight),
  );

const groupsAbove = (stop: number, items: readonly Item[], merges: readonly Merge[]): Item[][] => {
  const below = merges.findIndex(({ similarity }) => similarity < stop);
  return groupsOf(items, merges, below < 0 ? merges.length : below);
};

/** The groups after the first merges. */
const groupsOf = (items: readonly Item[], merges: readonly Merge[], count: number): Item[][] => {
  const groups: Item[][] = [];
  groupsAfter(items.length, merges, count).forEach((group, item) => {
    groups[group] ??= [];
    groups[group].push(items[item]!);
  });
  return groups;
};

const sumOf = (items: readonly Item[]): Float32Array => {
  const sum = new Float32Array(items[0]!.vector.length);
  for (const { vector, weight } of items) addScaled(sum, vector, weight);
  return sum;
};

const centroidOf = (items: readonly Item[]): Float32Array => normalise(sumOf(items));

const totalSeconds = (items: readonly Item[]): number => items.reduce((sum, { seconds }) => sum + seconds, 0);

/** Drops groups as small as a cough or an odd word, and short groups that are not clearly different. */
const audibleGroups = (
  groups: readonly (readonly Item[])[],
  stop: number,
  parameters: DiarizationParameters,
): Float32Array[] => {
  const joined = groups.map((items) => ({ items, ...joinItems(items) }));
  const total = totalSeconds(joined);
  const longest = Math.max(...joined.map(({ seconds }) => seconds));
  // A share of short recordings; more seconds in long ones, where outliers that resemble each other add up.
  const more = parameters.secondsPerSecond * total;
  const least = Math.min(parameters.speakerSecondsMin + more, parameters.speakerShareMin * total, longest);
  const short = Math.min(parameters.shortGroupSeconds + 2 * more, parameters.shortGroupShare * total);
  const audible = joined.filter(({ seconds }) => seconds >= least);
  const isDistinct = (group: Item): boolean =>
    audible.every((other) => other === group || dot(other.vector, group.vector) < stop - parameters.shortGroupMargin);
  return audible
    .filter((group) => group.seconds >= short || group.seconds === longest || isDistinct(group))
    .map(({ items }) => centroidOf(items));
};

/**
 * The given number of speakers. Cutting the tree there may waste a speaker on an outlier, so deeper cuts are tried
 * as well: their largest groups are used if all items are clearly nearer to them.
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
    const all = groupsOf(items, merges, items.length - groups);
    const largest = all.toSorted((a, b) => totalSeconds(b) - totalSeconds(a)).slice(0, count);
    const { centroids, similarity } = refined(items, largest.map(centroidOf));
    const score = similarity - droppedGroupCost * Math.max(0, groups - count);
    if (!best || score > best.score) best = { score, centroids };
  }
  return best?.centroids ?? [];
};

/** A few steps of k-means, and the mean similarity of all items to the nearest centroid. */
const refined = (items: readonly Item[], start: readonly Float32Array[]) => {
  let centroids = [...start];
  for (let step = 0; step < REFINEMENTS; step++) {
    const nearest = centroids.map((): Item[] => []);
    for (const item of items) nearest[nearestTo(item.vector, centroids)]!.push(item);
    centroids = centroids.map((centroid, index) =>
      nearest[index]!.length > 0 ? centroidOf(nearest[index]!) : centroid,
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
