// Arithmetic on embeddings.

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

export const addScaled = (target: Float32Array, source: Float32Array, factor: number): void => {
  for (let i = 0; i < target.length; i++) target[i]! += factor * source[i]!;
};

/** Scales the vector to unit length in place; a zero vector stays unchanged. */
export const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i]! /= length;
  return vector;
};

/** Index of the row with the largest dot product; 0 when there are no rows. */
export const nearestTo = (vector: Float32Array, rows: readonly Float32Array[]): number => {
  let best = 0;
  let bestDot = Number.NEGATIVE_INFINITY;
  rows.forEach((row, index) => {
    const value = dot(vector, row);
    if (value <= bestDot) return;
    best = index;
    bestDot = value;
  });
  return best;
};
