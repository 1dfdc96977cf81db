// The vocabulary's terms in a transcript: where they stand in the raw text, and what they replaced.
import type { PlacedTerm, Recognition } from '../../speech/recogniser.ts';

export const shifted = (term: PlacedTerm, by: number): PlacedTerm => ({
  ...term,
  start: term.start + by,
  end: term.end + by,
});

/** The terms of recognised texts, in the raw text that was joined from them. */
export const appliedTerms = (rawText: string, recognitions: readonly Recognition[]): readonly PlacedTerm[] => {
  const found: PlacedTerm[] = [];
  let from = 0;
  for (const { text, terms = [] } of recognitions) {
    let read = 0;
    for (const term of terms) {
      // Spaces between pieces may differ, so each term is looked for after the text before it.
      const written = text.slice(term.start, term.end);
      const skipped = text.slice(read, term.start).trim();
      const at = rawText.indexOf(written, from + skipped.length);
      if (at === -1) continue;
      found.push({ ...term, start: at, end: at + written.length });
      from = at + written.length;
      read = term.end;
    }
    from += text.slice(read).trim().length;
  }
  return found;
};
