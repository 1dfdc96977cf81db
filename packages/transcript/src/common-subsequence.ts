// The longest common subsequence of two lists of words.

/** Pairs of indices of equal words, in order; none when there are too many words to compare. */
export const commonSubsequence = (
  a: readonly string[],
  b: readonly string[],
  comparisonsMax: number,
): [number, number][] => {
  if (a.length * b.length > comparisonsMax) return [];
  const width = b.length + 1;
  // The length of the longest common subsequence of the words from each pair of indices on.
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
};
