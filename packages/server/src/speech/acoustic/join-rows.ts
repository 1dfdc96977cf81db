// Joins two arrays of several rows, such as the keys of a model's attention heads.

/** Appends each row of `second` to the same row of `first`. */
export const joinRows = (first: Float32Array, second: Float32Array, rows = 1): Float32Array => {
  const [before, after] = [first.length / rows, second.length / rows];
  const joined = new Float32Array(first.length + second.length);
  for (let row = 0; row < rows; row++) {
    const at = row * (before + after);
    joined.set(first.subarray(row * before, (row + 1) * before), at);
    joined.set(second.subarray(row * after, (row + 1) * after), at + before);
  }
  return joined;
};
