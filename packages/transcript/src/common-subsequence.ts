// The longest common subsequence of two lists of words.

interface CommonSubsequenceOptions {
  /** Lists that need more comparisons give no pairs. Default: no limit. */
  readonly comparisonsMax?: number;
  /** Default: equality. */
  readonly isSame?: (a: string, b: string) => boolean;
}

/** Pairs of indices of matching words, in order. */
export const commonSubsequence = (
  a: readonly string[],
  b: readonly string[],
  {
    comparisonsMax = Number.POSITIVE_INFINITY,
    isSame = (left, right) => left === right,
  }: CommonSubsequenceOptions = {},
): [number, number][] => {
  if (a.length * b.length > comparisonsMax) return [];
  const width = b.length + 1;
  // The length of the longest common subsequence of the words from each pair of indices on.
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = isSame(a[i]!, b[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSame(a[i]!, b[j]!)) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
};
