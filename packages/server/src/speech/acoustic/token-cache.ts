// A key-value cache: tensors of shape [1, heads, positions, size].
import '../../lib/process/no-telemetry.ts';
import { Tensor } from 'onnxruntime-node';

export type Tensors = Readonly<Record<string, Tensor>>;

const positionsOf = (cache: Tensor, from: number, to: number): Tensor => {
  const [, heads = 0, all = 0, size = 0] = cache.dims;
  const end = Math.min(to, all);
  const data = cache.data as Float32Array;
  const kept = new Float32Array(heads * (end - from) * size);
  for (let head = 0; head < heads; head++) {
    const at = head * all;
    kept.set(data.subarray((at + from) * size, (at + end) * size), head * (end - from) * size);
  }
  return new Tensor('float32', kept, [1, heads, end - from, size]);
};

/** A range of positions of every cache. */
export const positionsOfAll = (caches: Tensors, from: number, to: number): Tensors =>
  Object.fromEntries(Object.entries(caches).map(([name, cache]) => [name, positionsOf(cache, from, to)]));

export const firstPositions = (caches: Tensors, count: number): Tensors => positionsOfAll(caches, 0, count);

/** The positions of every cache, followed by those of another one. */
export const joinedPositions = (caches: Tensors, following: Tensors): Tensors =>
  Object.fromEntries(Object.entries(caches).map(([name, cache]) => [name, joined(cache, following[name]!)]));

const joined = (first: Tensor, second: Tensor): Tensor => {
  const [, heads = 0, before = 0, size = 0] = first.dims;
  const after = second.dims[2]!;
  const data = new Float32Array(heads * (before + after) * size);
  for (let head = 0; head < heads; head++) {
    const at = head * (before + after) * size;
    const partOf = (cache: Tensor, positions: number) =>
      (cache.data as Float32Array).subarray(head * positions * size, (head + 1) * positions * size);
    data.set(partOf(first, before), at);
    data.set(partOf(second, after), at + before * size);
  }
  return new Tensor('float32', data, [1, heads, before + after, size]);
};
