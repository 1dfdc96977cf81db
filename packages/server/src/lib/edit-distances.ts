// Edit distances between lists of words.

/** For each count of leading `words`, the edit distance between them and all of `wanted`. */
export const prefixDistances = (
  wanted: readonly string[],
  words: readonly string[],
  /** Whether `wanted` may begin anywhere in `words` at no cost. */
  isAnywhere = false,
): readonly number[] => {
  let row = Array.from({ length: words.length + 1 }, (_, at) => (isAnywhere ? 0 : at));
  for (const word of wanted) {
    const next = [row[0]! + 1];
    for (let at = 1; at <= words.length; at++) {
      const replaced = row[at - 1]! + (words[at - 1] === word ? 0 : 1);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row;
};
