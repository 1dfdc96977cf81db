// A refiner for tests of what comes before it: joins the recognised text and edits nothing.
import type { Refiner } from '../../refine/refiner.ts';

export const passthroughRefiner: Refiner = {
  async refine({ pieces }, signal) {
    signal.throwIfAborted();
    const text = pieces.map((piece) => piece.text).join(' ');
    return { text, rawText: text, edits: [], numbersRestored: 0, fallback: null };
  },
};
