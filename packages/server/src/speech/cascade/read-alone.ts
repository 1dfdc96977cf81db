// Reads a window with the one model that the tier has for a language, and checks that the text is in that language.
import { type AcousticModel, isUsable, type LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { isHallucination } from '../decoding/hallucination.ts';
import { isoOf } from '../language/codes.ts';
import type { AllowedLanguages } from '../language/prior.ts';
import { textLanguages } from '../language/text-language.ts';
import type { SpeechWindow } from '../recogniser.ts';
import { prepareTerms } from '../terms/term-list.ts';
import type { ReadDecoding } from './answers.ts';
import type { Tier } from './tiers.ts';

/** Below this chance, the text is in another language than the believed one. */
const CHANCE_MIN = 0.2;
/** Of a text that is too short to tell. */
const PROBABILITY_UNTOLD = 0.9;

interface Question {
  readonly tier: Tier;
  readonly window: SpeechWindow;
  readonly checkpoint: () => void;
}

/** Null when the model wrote nothing usable. */
export const readAlone = async (
  model: AcousticModel,
  language: string,
  languages: LanguageProbabilities,
  { tier, window, checkpoint }: Question,
): Promise<ReadDecoding | null> => {
  const { samples, vocabulary, precedingText, committedText = '', draft = '' } = window;
  const speech = await model.encode(samples);
  checkpoint();
  const hypothesis = await speech.transcribe({
    language,
    terms: prepareTerms(vocabulary),
    precedingText: precedingText !== null && precedingText.language === isoOf(language) ? precedingText.text : '',
    draft: `${committedText} ${draft}`.trim(),
    temperatures: tier.temperatures,
    checkpoint,
  });
  return isUsable(hypothesis) && !isHallucination(hypothesis) ? { speech, hypothesis, language, languages } : null;
};

/** Null also when the text is in another language: models of many languages write what they hear. */
export const readBelieved = async (
  model: AcousticModel,
  language: string,
  allowed: AllowedLanguages | undefined,
  question: Question,
): Promise<ReadDecoding | null> => {
  // The only language that is allowed needs no check.
  if (allowed?.size === 1) return readAlone(model, language, new Map([[language, 1]]), question);
  const read = await readAlone(model, language, new Map([[language, PROBABILITY_UNTOLD]]), question);
  if (!read) return null;
  const chance = (await textLanguages(read.hypothesis.text))?.chanceOf(isoOf(language) ?? language) ?? null;
  if (chance === null) return read;
  return chance < CHANCE_MIN ? null : { ...read, languages: new Map([[language, Math.max(0.5, chance)]]) };
};
