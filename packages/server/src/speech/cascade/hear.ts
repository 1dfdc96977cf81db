// Whisper's reading of a window: which Whisper, in which language.
import { isoOf } from '../language/codes.ts';
import { compareByReading } from '../language/compare-languages.ts';
import { findLanguageChange } from '../language/language-change.ts';
import { likeliest, weighLanguages } from '../language/prior.ts';
import { textLanguages } from '../language/text-language.ts';
import type { RecogniseJob } from '../recogniser.ts';
import { detectLanguage, type LanguageProbabilities } from '../whisper/detect-language.ts';
import type { DecoderMemory } from '../whisper/model.ts';
import { encodeAudio, readBeginning, type Transcript, transcribe, type Whisper } from '../whisper/transcribe.ts';
import { type EnglishHypothesis, evidenceOfEnglish, type LanguagePrior, mayBeEnglish } from './english-trust.ts';
import type { Tier } from './tiers.ts';

/** Of another language than believed, to hear the window in it. */
const OVERRULE_PROBABILITY = 0.7;
/** A language this probable needs no comparison; a lesser model must be surer, or a better one is asked. */
const SURE_PROBABILITY = 0.8;
const SURE_OF_LESSER_MODEL = 0.9;
const VOCABULARY_TOKENS_MAX = 96;
/** Rests at which a change of language is listened for; in a language believed it is less likely. */
const RESTS_UNKNOWN = 3;
const RESTS_BELIEVED = 1;

export interface Heard {
  readonly whisper: Whisper;
  readonly audio: DecoderMemory;
  readonly transcript: Transcript;
  /** Whisper's code. */
  readonly language: string;
  readonly languages: LanguageProbabilities;
}

/** What was heard, and the sample at which another language begins. */
export type HeardWithChange = Heard & { readonly languageChange: number | null };

export interface Hearing {
  readonly tier: Tier;
  readonly whisper: Whisper;
  readonly listener: Whisper;
  readonly job: RecogniseJob;
  readonly prior: LanguagePrior;
  /** What the English model heard in the same window; null when it was not asked. */
  readonly english: EnglishHypothesis | null;
  readonly checkpoint: () => void;
}

export const hear = async (hearing: Hearing): Promise<HeardWithChange> => {
  const { prior, job } = hearing;
  const isBelieved = prior.belief !== null && prior.belief !== 'en';
  const heard = isBelieved ? await hearBelieved(hearing, prior.belief) : await hearForeignOrEnglish(hearing);
  const rests = job.pausePositions.slice(0, isBelieved ? RESTS_BELIEVED : RESTS_UNKNOWN);
  const languageChange = await findLanguageChange(heard.whisper, heard.audio, rests, job.samples.length);
  return { ...heard, languageChange };
};

const hearForeignOrEnglish = async (hearing: Hearing): Promise<Heard> => {
  const { english } = hearing;
  const heard = await hearUnknown(hearing);
  // Foreign accents sound like other languages; what both models write in English is English.
  const isEnglish = mayBeEnglish(english) && textLanguages(heard.transcript.text)[0]?.language === 'en';
  return isEnglish && heard.language !== 'en' ? { ...heard, language: 'en', languages: new Map([['en', 1]]) } : heard;
};

/** In the language believed, or in another where the audio surely speaks for it. */
const hearBelieved = async (hearing: Hearing, belief: string): Promise<Heard> => {
  const { whisper } = hearing;
  const audio = await encode(hearing, whisper);
  const heard = await detectLanguage(whisper.model, whisper.tokenizer, audio);
  const languages = weighLanguages(heard, hearing.prior);
  const [likely, probability] = likeliest(languages);
  const language = probability < OVERRULE_PROBABILITY ? belief : likely;
  return { whisper, audio, transcript: await read(hearing, whisper, audio, language), language, languages };
};

/** By the first of the readers that is sure of the language, or by the last. */
const hearUnknown = async (hearing: Hearing): Promise<Heard> => {
  const readers = readersOf(hearing);
  const best = readers.at(-1)!;
  for (const whisper of readers) {
    const audio = await encode(hearing, whisper);
    const heard = await detectLanguage(whisper.model, whisper.tokenizer, audio);
    const languages = weighLanguages(
      heard,
      hearing.prior,
      evidenceOfEnglish(hearing.english, hearing.tier.englishEven),
    );
    const [language, probability] = likeliest(languages);
    if (probability >= (whisper === best ? SURE_PROBABILITY : SURE_OF_LESSER_MODEL)) {
      return { whisper, audio, transcript: await read(hearing, whisper, audio, language), language, languages };
    }
    if (whisper === best) return compare(hearing, whisper, audio, languages);
  }
  throw new Error('nobody read the window');
};

/** English that was not trusted is worth the better model; of another language the lesser one may be sure at once. */
const readersOf = ({ whisper, listener, prior, english }: Hearing): readonly Whisper[] => {
  if (prior.belief === 'en' || whisper === listener) return [whisper];
  return mayBeEnglish(english) ? [listener] : [whisper, listener];
};

const compare = async (
  hearing: Hearing,
  whisper: Whisper,
  audio: DecoderMemory,
  heard: LanguageProbabilities,
): Promise<Heard> => {
  const { language, languages, text } = await compareByReading(heard, (candidate, averageMin) =>
    readBeginning(whisper, audio, candidate, averageMin, hearing.checkpoint),
  );
  return { whisper, audio, transcript: await read(hearing, whisper, audio, language, text), language, languages };
};

const encode = async ({ job, checkpoint }: Hearing, whisper: Whisper): Promise<DecoderMemory> => {
  const audio = await encodeAudio(whisper, job.samples);
  checkpoint();
  return audio;
};

/** `beginning` is what was read in this language already; in English the other model's text is the better draft. */
const read = (
  { job, tier, english, checkpoint }: Hearing,
  whisper: Whisper,
  audio: DecoderMemory,
  language: string,
  beginning = '',
): Promise<Transcript> =>
  transcribe(whisper, audio, {
    language,
    samples: job.samples,
    terms: vocabularyTokens(whisper, job.vocabulary),
    before: job.precedingText !== null && job.precedingText.language === isoOf(language) ? job.precedingText.text : '',
    draft: language === 'en' && english && !english.degenerate ? english.text : beginning,
    temperatures: tier.temperatures,
    checkpoint,
  });

/** Terms as text that was said before: Whisper then spells them the same way. */
const vocabularyTokens = ({ tokenizer }: Whisper, terms: readonly string[]): number[] =>
  terms.length === 0 ? [] : tokenizer.encode(` ${terms.join(', ')}.`).slice(0, VOCABULARY_TOKENS_MAX);
