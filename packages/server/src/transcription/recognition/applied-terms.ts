// Locates vocabulary terms, and the words they replaced, in the raw text of a transcript.
import type { PlacedTerm } from '../../speech/recogniser.ts';
import type { RecognisedWindow } from './assemble.ts';

export const shifted = (term: PlacedTerm, by: number): PlacedTerm => ({
  ...term,
  start: term.start + by,
  end: term.end + by,
});

/** The terms of all windows, with offsets in the raw text joined from them. */
export const appliedTerms = (
  rawText: string,
  recognised: readonly Pick<RecognisedWindow, 'recognition'>[],
): readonly PlacedTerm[] => {
  const found: PlacedTerm[] = [];
  let from = 0;
  for (const { recognition } of recognised) {
    const { text, terms = [] } = recognition;
    let read = 0;
    for (const term of terms) {
      // Spacing between pieces may differ, so search for each term after the text that precedes it.
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
