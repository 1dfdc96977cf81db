// Detects hallucinations: text that models write where nothing was said.
import { STOCK_PHRASES } from './stock-phrases.ts';

/** Letters and digits only, without case and diacritics. */
const bare = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const KNOWN = new Set(STOCK_PHRASES.map(bare));

const NO_SPEECH_CERTAIN = 0.6;
const NO_SPEECH_LIKELY = 0.25;
const CONFIDENT = -0.35;
const DOUBTFUL = -0.8;

interface Evidence {
  readonly text: string;
  readonly averageLogProbability: number;
  readonly noSpeechProbability: number;
}

/** Whether to hide the text because of too little evidence. */
export const isHallucination = ({ text, averageLogProbability, noSpeechProbability }: Evidence): boolean => {
  const words = bare(text);
  if (words === '') return true;
  if (noSpeechProbability > NO_SPEECH_CERTAIN && averageLogProbability < DOUBTFUL) return true;
  // Sounds in brackets or between notes ("[Music]", "♪ … ♪") are descriptions, not speech.
  if (/^[[(♪*].*[\])♪*]$/s.test(text.trim())) return true;
  return KNOWN.has(words) && (noSpeechProbability > NO_SPEECH_LIKELY || averageLogProbability < CONFIDENT);
};

/** Whether to show the text of a hypothesis: it is complete and not a hallucination. */
export const isCredible = (hypothesis: Evidence & { readonly degenerate: boolean }): boolean =>
  !hypothesis.degenerate && !isHallucination(hypothesis);
