// Finds the known name that a mistyped one probably meant.

/** Edit distance with swaps of neighbouring letters. */
export const editDistance = (from: string, to: string): number => {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) cost = Math.min(cost, before[column - 2]! + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[to.length]!;
};

/** Null when no name is similar: up to a quarter of the letters may differ, but always at least one. */
export const nearest = (name: string, known: readonly string[]): string | null => {
  const distanceMax = Math.max(1, Math.floor(name.length / 4));
  const [best] = known
    .map((other) => ({ other, distance: editDistance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance);
  return best?.other ?? null;
};
