// Where in a window does the language change? The audio on either side of a pause is asked for its language.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { LanguageProbabilities, MultilingualSpeech } from '../acoustic/acoustic-model.ts';
import { weighLanguages } from './prior.ts';

/** Less audio than this says too little about its language. */
export const LANGUAGE_SAMPLES_MIN = 1.5 * SAMPLE_RATE_HZ;
/** Each side must be this sure, and two languages so many times likelier than one on both sides. */
const SIDE_PROBABILITY_MIN = 0.4;
const RATIO_MIN = 7;

const NO_PRIOR = { hint: null, belief: null };

/** How many times likelier two languages are than one, given the guesses for both sides; 1 when nothing says so. */
export const oddsOfTwo = (before: LanguageProbabilities, after: LanguageProbabilities): number => {
  const [surest, surestAfter] = [Math.max(...before.values()), Math.max(...after.values())];
  if (Math.min(surest, surestAfter) < SIDE_PROBABILITY_MIN) return 1;
  const together = [...before].map(([language, probability]) => probability * (after.get(language) ?? 0));
  return (surest * surestAfter) / Math.max(...together);
};

/** The first of these pauses at which the language surely changes; null when there is none. */
export const findLanguageChange = async (
  speech: MultilingualSpeech,
  pausePositions: readonly number[],
  audioSamples: number,
): Promise<number | null> => {
  const between = async (fromSample: number, toSample: number): Promise<LanguageProbabilities> =>
    weighLanguages(await speech.detectLanguage({ fromSample, toSample }), NO_PRIOR);
  for (const pause of pausePositions) {
    if (pause < LANGUAGE_SAMPLES_MIN || audioSamples - pause < LANGUAGE_SAMPLES_MIN) continue;
    if (oddsOfTwo(await between(0, pause), await between(pause, audioSamples)) >= RATIO_MIN) return pause;
  }
  return null;
};
