// A refiner for tests of earlier stages: joins the recognised text without editing it.
import type { Refiner } from '../../refine/refiner.ts';

export const passthroughRefiner: Refiner = {
  async refine({ pieces }, signal) {
    signal.throwIfAborted();
    const text = pieces.map((piece) => piece.text).join(' ');
    return { text, rawText: text, edits: [], numbersRestored: 0, fallback: null };
  },
};
