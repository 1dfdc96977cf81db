// Finds the best one-to-one assignment between rows and columns (Kuhn–Munkres).

/** The column of each row in the assignment with the largest sum of values; null for unassigned rows. */
export const bestAssignment = (values: readonly (readonly number[])[]): (number | null)[] => {
  const rows = values.length;
  const columns = values[0]?.length ?? 0;
  const size = Math.max(rows, columns);
  if (rows === 0 || columns === 0) return values.map(() => null);
  const cost = (row: number, column: number): number => -(values[row]?.[column] ?? 0);
  // Potentials and the row of each column; index 0 is a sentinel.
  const u = new Float64Array(size + 1);
  const v = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1);
  const way = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row;
    let column = 0;
    const least = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const used = new Uint8Array(size + 1);
    do {
      used[column] = 1;
      const current = rowOf[column]!;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= size; j++) {
        if (used[j]) continue;
        const reduced = cost(current - 1, j - 1) - u[current]! - v[j]!;
        if (reduced < least[j]!) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j]! < delta) {
          delta = least[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= size; j++) {
        if (used[j]) {
          u[rowOf[j]!]! += delta;
          v[j]! -= delta;
        } else least[j]! -= delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      rowOf[column] = rowOf[way[column]!]!;
      column = way[column]!;
    }
  }
  const result: (number | null)[] = values.map(() => null);
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]! - 1;
    if (row < rows) result[row] = column - 1;
  }
  return result;
};
