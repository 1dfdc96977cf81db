// The least a refiner can do, for tests of what comes before it: joins what was heard and edits nothing.
import type { Refiner } from '../../refine/refiner.ts';

export const joiner: Refiner = {
  async refine({ pieces }, signal) {
    signal.throwIfAborted();
    const text = pieces.map((piece) => piece.text).join(' ');
    return { text, rawText: text, edits: [], numbersRestored: 0, fallback: null };
  },
};
