// Agglomerative clustering with average linkage, as the list of all merges from the most similar to the least.

export interface Merge {
  /** Indices of two items that identify their groups. `into` is the smaller one. */
  readonly into: number;
  readonly from: number;
  /** Weighted mean similarity between the two groups. */
  readonly similarity: number;
}

/**
 * All merges, in order. `similarities` is a symmetric matrix of size n × n, row by row, and is overwritten.
 * Quadratic in memory, and nearly so in time.
 */
export const averageLinkage = (similarities: Float32Array, weights: ArrayLike<number>): Merge[] => {
  const n = weights.length;
  const weight = Float64Array.from(weights);
  const alive = new Uint8Array(n).fill(1);
  const nearest = new Int32Array(n).fill(-1);
  const best = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  /** Searches only later groups for the nearest one, so that every pair is examined once. */
  const search = (row: number): void => {
    nearest[row] = -1;
    best[row] = Number.NEGATIVE_INFINITY;
    for (let other = row + 1; other < n; other++) {
      if (!alive[other] || similarities[row * n + other]! <= best[row]!) continue;
      best[row] = similarities[row * n + other]!;
      nearest[row] = other;
    }
  };
  for (let row = 0; row < n; row++) search(row);
  const merges: Merge[] = [];
  for (let left = n; left > 1; left--) {
    let into = -1;
    for (let row = 0; row < n; row++) {
      if (alive[row] && nearest[row]! >= 0 && (into < 0 || best[row]! > best[into]!)) into = row;
    }
    const from = nearest[into]!;
    merges.push({ into, from, similarity: best[into]! });
    alive[from] = 0;
    const total = weight[into]! + weight[from]!;
    for (let other = 0; other < n; other++) {
      if (!alive[other] || other === into) continue;
      const mean =
        (weight[into]! * similarities[into * n + other]! + weight[from]! * similarities[from * n + other]!) / total;
      similarities[into * n + other] = mean;
      similarities[other * n + into] = mean;
    }
    weight[into] = total;
    search(into);
    for (let row = 0; row < n; row++) {
      if (!alive[row] || row === into) continue;
      if (nearest[row] === from || nearest[row] === into) search(row);
      else if (row < into && similarities[row * n + into]! > best[row]!) {
        best[row] = similarities[row * n + into]!;
        nearest[row] = into;
      }
    }
  }
  return merges;
};

/** Group of each item after the first merges, numbered from 0 in the order of their first items. */
export const groupsAfter = (items: number, merges: readonly Merge[], count: number): Int32Array => {
  const parent = Int32Array.from({ length: items }, (_, item) => item);
  for (let i = 0; i < Math.min(count, merges.length); i++) parent[merges[i]!.from] = merges[i]!.into;
  const number = new Map<number, number>();
  return parent.map((_, item) => {
    let root = item;
    while (parent[root] !== root) root = parent[root]!;
    if (!number.has(root)) number.set(root, number.size);
    return number.get(root)!;
  });
};
