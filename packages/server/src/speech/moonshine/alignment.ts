// Alignment heads of Moonshine's decoder, found by comparison with Whisper's word times.

/** [layer, head] pairs by the number of decoder layers: 6 in tiny, 8 in base. */
const ALIGNMENT_HEADS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  6: [
    [3, 0],
    [3, 2],
    [4, 3],
    [4, 6],
  ],
  8: [
    [4, 2],
    [5, 5],
    [6, 1],
    [6, 4],
  ],
};

export const alignmentHeads = (layers: number): readonly (readonly [number, number])[] => ALIGNMENT_HEADS[layers] ?? [];
