// Rotary position embedding (interleaved, on part of each head), with precomputed tables.
import type { GraphBuilder } from './build.ts';
import { floatsOf, floatTensor } from './matrices.ts';
import type { OnnxTensor } from './onnx.ts';

/** Rotates queries and keys by their positions: a list, or the first position. */
export const rotary = (
  graph: GraphBuilder,
  frequencies: OnnxTensor,
  heads: number,
  positionsMax: number,
  positions: string,
): ((x: string) => string) => {
  const steps = floatsOf(frequencies);
  const table = (name: string, wave: (angle: number) => number) => {
    const values = new Float32Array(positionsMax * steps.length);
    for (let position = 0; position < positionsMax; position++) {
      for (const [i, step] of steps.entries()) {
        values[position * steps.length + i] = wave(Math.fround(position * step));
      }
    }
    return graph.tensor(floatTensor(name, values, [positionsMax, steps.length]));
  };
  const cosines = table('rotary_cosines', Math.cos);
  const sines = table('rotary_sines', Math.sin);
  return (x) =>
    graph.fused('RotaryEmbedding', [x, positions, cosines, sines], {
      interleaved: 1,
      num_heads: heads,
      rotary_embedding_dim: steps.length * 2,
    });
};
