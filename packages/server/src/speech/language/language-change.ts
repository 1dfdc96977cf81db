// Finds a language change in a window: detects the language on both sides of a pause.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { LanguageProbabilities, MultilingualSpeech } from '../acoustic/acoustic-model.ts';
import { type AllowedLanguages, weighLanguages } from './prior.ts';

/** Less audio is not enough to detect its language. */
export const LANGUAGE_SAMPLES_MIN = 1.5 * SAMPLE_RATE_HZ;
/** Required probability on each side, and the required odds of two languages against one. */
const SIDE_PROBABILITY_MIN = 0.4;
const RATIO_MIN = 7;

const isClear = (side: LanguageProbabilities): boolean => Math.max(...side.values()) >= SIDE_PROBABILITY_MIN;

/** How many times more probable two languages are than one; 1 without evidence. */
export const oddsOfTwo = (before: LanguageProbabilities, after: LanguageProbabilities): number => {
  if (!isClear(before) || !isClear(after)) return 1;
  const [surest, surestAfter] = [Math.max(...before.values()), Math.max(...after.values())];
  const together = [...before].map(([language, probability]) => probability * (after.get(language) ?? 0));
  return (surest * surestAfter) / Math.max(...together);
};

/** The first of these pauses at which the language changes; null when there is none. */
export const findLanguageChange = async (
  speech: MultilingualSpeech,
  pausePositions: readonly number[],
  audioSamples: number,
  allowed: AllowedLanguages = null,
): Promise<number | null> => {
  if (allowed?.size === 1) return null;
  const prior = { hint: null, belief: null, allowed };
  const between = async (fromSample: number, toSample: number): Promise<LanguageProbabilities> =>
    weighLanguages(await speech.detectLanguage({ fromSample, toSample }), prior);
  for (const pause of pausePositions) {
    if (pause < LANGUAGE_SAMPLES_MIN || audioSamples - pause < LANGUAGE_SAMPLES_MIN) continue;
    const before = await between(0, pause);
    if (isClear(before) && oddsOfTwo(before, await between(pause, audioSamples)) >= RATIO_MIN) return pause;
  }
  return null;
};
