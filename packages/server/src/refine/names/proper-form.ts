// The written form of known English names and abbreviations.
import { capitalised } from '../token.ts';
import { AMBIGUOUS_FIRST_NAMES, FIRST_NAMES, PLACES, SAFE_ACRONYMS, SPELLINGS } from './words.ts';

/** Null for words that are not known names. */
export const properForm = (key: string): string | null => {
  const [stem = '', tail = ''] = key.endsWith("'s") ? [key.slice(0, -2), "'s"] : [key, ''];
  const spelling = SPELLINGS.get(stem);
  if (spelling) return spelling + tail;
  if (SAFE_ACRONYMS.has(stem)) {
    // Plurals keep a lower-case "s": APIs, URLs.
    const plural = stem !== 'https' && stem.endsWith('s') && SAFE_ACRONYMS.has(stem.slice(0, -1));
    return (plural ? `${stem.slice(0, -1).toUpperCase()}s` : stem === 'phd' ? 'PhD' : stem.toUpperCase()) + tail;
  }
  if (PLACES.has(stem) || (FIRST_NAMES.has(stem) && !AMBIGUOUS_FIRST_NAMES.has(stem))) return capitalised(stem) + tail;
  return null;
};
