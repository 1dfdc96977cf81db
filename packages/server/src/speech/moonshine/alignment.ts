// Alignment heads of Moonshine's decoder, found by comparison with Whisper's word times, and their lead.

interface AlignmentHeads {
  /** [layer, head] pairs. */
  readonly heads: readonly (readonly [number, number])[];
  /** Attention moves to a word this long before it starts. Fitted on words with manually annotated times. */
  readonly leadMs: number;
}

/** By the number of decoder layers: 6 in tiny, 8 in base. */
const ALIGNMENT: Readonly<Record<number, AlignmentHeads>> = {
  6: {
    heads: [
      [3, 0],
      [3, 2],
      [4, 3],
      [4, 6],
    ],
    leadMs: 42,
  },
  8: {
    heads: [
      [4, 2],
      [5, 5],
      [6, 1],
      [6, 4],
    ],
    leadMs: 4,
  },
};

export const alignmentHeads = (layers: number): AlignmentHeads => ALIGNMENT[layers] ?? { heads: [], leadMs: 0 };
