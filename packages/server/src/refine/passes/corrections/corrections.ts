// Applies self-corrections: removes the words that the speaker takes back, and the cue.
import type { Cursor } from '../../cursor.ts';
import type { Language } from '../../language.ts';
import { type Pass, rulePass } from '../../rewrite.ts';
import { breaksLine, endsSentence } from '../../token.ts';
import { countCorrection, itemCorrection } from './item-correction.ts';
import { phraseCorrection } from './phrase-correction.ts';
import { repeatedSentence, scratchThat } from './scratch-that.ts';

const OPENING_QUOTE = /^["“„«]$/u;

/** The number of words in the correction cue at the cursor, or 0. */
const cueLengthAt = (at: Cursor, language: Language): number => {
  for (const cue of language.corrections) {
    if (!at.says(cue)) continue;
    const isUnbroken = cue
      .slice(0, -1)
      .every((_, n) => /^,?$/u.test(at.ahead(n)!.trail) && !breaksLine(at.ahead(n + 1)!));
    if (isUnbroken && /^[,.\-–—]?$|^\.{3}$|^…$/u.test(at.ahead(cue.length - 1)!.trail)) return cue.length;
  }
  return 0;
};

export const corrections: Pass = rulePass('corrections', (language) => {
  const starts = new Set(language.corrections.map(([word]) => word));
  return (at) => {
    const previous = at.behind(1);
    const here = at.ahead(0)!;
    // Quoted words are not cues.
    if (!starts.has(here.key) || !previous || here.lead !== '' || OPENING_QUOTE.test(previous.core)) return null;
    const cueLength = cueLengthAt(at, language);
    if (cueLength === 0) return null;
    const isNewSentence =
      breaksLine(here) || (endsSentence(previous) && previous.trail !== '...' && previous.trail !== '…');
    const change = isNewSentence
      ? null
      : (itemCorrection(at, cueLength, language) ??
        countCorrection(at, cueLength, language) ??
        phraseCorrection(at, cueLength));
    return change ?? (language.code === 'en' ? (scratchThat(at) ?? repeatedSentence(at)) : null);
  };
});
