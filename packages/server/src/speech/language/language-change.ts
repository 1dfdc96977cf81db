// Where one language ends and another begins: the encoded audio on either side of a rest is asked for its language.

import { detectLanguage, type LanguageProbabilities } from '../whisper/detect-language.ts';
import type { DecoderMemory } from '../whisper/model.ts';
import type { Whisper } from '../whisper/transcribe.ts';
import { weighLanguages } from './prior.ts';

const SAMPLES_PER_POSITION = 320;
/** A side that is shorter says too little about its language. */
const SIDE_SAMPLES_MIN = 1.5 * 16_000;
/** Each side must be this sure, and two languages so many times likelier than one on both sides. */
const SIDE_PROBABILITY_MIN = 0.4;
const RATIO_MIN = 7;

const NO_PRIOR = { hint: null, belief: null };

/** How many times likelier two languages are than one, for what was heard before and after; 1 when nothing says so. */
export const oddsOfTwo = (before: LanguageProbabilities, after: LanguageProbabilities): number => {
  const [surest, surestAfter] = [Math.max(...before.values()), Math.max(...after.values())];
  if (Math.min(surest, surestAfter) < SIDE_PROBABILITY_MIN) return 1;
  const together = [...before].map(([language, probability]) => probability * (after.get(language) ?? 0));
  return (surest * surestAfter) / Math.max(...together);
};

/** The first of these samples at which the language surely changes; null when there is none. */
export const findLanguageChange = async (
  { model, tokenizer }: Whisper,
  audio: DecoderMemory,
  rests: readonly number[],
  samples: number,
): Promise<number | null> => {
  const between = async (from: number, to: number): Promise<LanguageProbabilities> => {
    const side = model.part(audio, Math.floor(from / SAMPLES_PER_POSITION), Math.ceil(to / SAMPLES_PER_POSITION));
    return weighLanguages(await detectLanguage(model, tokenizer, side), NO_PRIOR);
  };
  for (const rest of rests) {
    if (rest < SIDE_SAMPLES_MIN || samples - rest < SIDE_SAMPLES_MIN) continue;
    if (oddsOfTwo(await between(0, rest), await between(rest, samples)) >= RATIO_MIN) return rest;
  }
  return null;
};
