// Reads a window with the tier's reader for one language, and checks that the text is in that language.
import type { AcousticModel, LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { isCredible } from '../decoding/hallucination.ts';
import { isoOf } from '../language/codes.ts';
import type { AllowedLanguages } from '../language/prior.ts';
import { textLanguages } from '../language/text-language.ts';
import type { SpeechWindow } from '../recogniser.ts';
import { prepareTerms } from '../terms/term-list.ts';
import type { ReadDecoding } from './answers.ts';
import { precedingTextIn } from './preceding-text.ts';
import type { Tier } from './tiers.ts';

/** Below this chance, the text is taken to be in another language. */
const CHANCE_MIN = 0.2;
/** Probability of the language when the text is too short to tell. */
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
  const { samples, vocabulary, committedText = '', draft = '' } = window;
  const speech = await model.encode(samples);
  checkpoint();
  const hypothesis = await speech.transcribe({
    language,
    terms: prepareTerms(vocabulary),
    precedingText: precedingTextIn(language, window),
    draft: `${committedText} ${draft}`.trim(),
    temperatures: tier.temperatures,
    checkpoint,
  });
  return isCredible(hypothesis) ? { speech, hypothesis, language, languages } : null;
};

/** Also null when the text is in another language: a model of many languages writes whichever it hears. */
export const readBelieved = async (
  model: AcousticModel,
  language: string,
  allowed: AllowedLanguages | undefined,
  question: Question,
): Promise<ReadDecoding | null> => {
  // A single allowed language needs no check.
  if (allowed?.size === 1) return readAlone(model, language, new Map([[language, 1]]), question);
  const read = await readAlone(model, language, new Map([[language, PROBABILITY_UNTOLD]]), question);
  if (!read) return null;
  const chance = (await textLanguages(read.hypothesis.text))?.chanceOf(isoOf(language) ?? language) ?? null;
  if (chance === null) return read;
  return chance < CHANCE_MIN ? null : { ...read, languages: new Map([[language, Math.max(0.5, chance)]]) };
};
