// Decides the language of one window, and which model transcribes it.
import type { LanguageProbabilities, MultilingualModel, MultilingualSpeech } from '../acoustic/acoustic-model.ts';
import { BY_SOUND, BY_TEXT, compareLanguages } from './compare-languages.ts';
import { type EnglishHypothesis, evidenceOfEnglish, isLikelyEnglish, mayBeEnglish } from './english-evidence.ts';
import { pooled } from './pool-languages.ts';
import { isShortList, type LanguagePrior, likeliest, weighLanguages } from './prior.ts';
import { evenedOut } from './training-hours.ts';

/** Probability at which another language replaces the believed one, without and with a caller's list. */
const OVERRULE_PROBABILITY = 0.7;
const OVERRULE_LISTED = 0.5;
/** Probabilities at which no comparison is needed: from the better model, and from a smaller one. */
const SURE_PROBABILITY = 0.8;
const SURE_OF_LESSER_MODEL = 0.9;
/** A tier that transcribes with a smaller model than it detects with compares fewer languages, to limit its cost. */
const CANDIDATES_MAX_OF_LESSER = 3;

interface LanguageQuestion {
  readonly samples: Float32Array;
  /** Transcribes once the language is known. */
  readonly multilingual: MultilingualModel;
  /** Asked while the language is unknown; the same model as `multilingual`, or a better one. */
  readonly detector: MultilingualModel;
  /** Also asked when the detector is unsure. */
  readonly secondDetector: MultilingualModel;
  /** Too short for several detections: only the transcribing model detects, and no texts are compared. */
  readonly isBrief: boolean;
  readonly prior: LanguagePrior;
  /** The English model's hypothesis of the same window; null when the model did not run. */
  readonly english: EnglishHypothesis | null;
  /** Average log-probability at which that hypothesis is neutral evidence. */
  readonly englishNeutral: number;
  readonly checkpoint: () => void;
}

export interface LanguageDecision {
  readonly model: MultilingualModel;
  /** The window, encoded by `model`. */
  readonly speech: MultilingualSpeech;
  /** The model's code. */
  readonly language: string;
  readonly languages: LanguageProbabilities;
  /** The first words in that language, if they were decoded for the decision. */
  readonly beginning: string;
}

export const decideLanguage = (question: LanguageQuestion): Promise<LanguageDecision> => {
  const { belief, allowed } = question.prior;
  if (allowed?.size === 1) return decided(question, [...allowed][0]!);
  if (belief !== null && belief !== 'en') return keepOrOverrule(question, belief);
  return question.isBrief ? detectBriefly(question) : detect(question);
};

/** For a single allowed language: nothing is detected. */
const decided = async (question: LanguageQuestion, language: string): Promise<LanguageDecision> => {
  const model = question.multilingual;
  return { model, speech: await encode(question, model), language, languages: new Map([[language, 1]]), beginning: '' };
};

/** Keeps the believed language, unless the audio is clearly in another one. */
const keepOrOverrule = async (question: LanguageQuestion, belief: string): Promise<LanguageDecision> => {
  const model = question.multilingual;
  const speech = await encode(question, model);
  const languages = weighLanguages(await speech.detectLanguage(), question.prior);
  const [likely, probability] = likeliest(languages);
  const language = probability < (question.prior.allowed ? OVERRULE_LISTED : OVERRULE_PROBABILITY) ? belief : likely;
  return { model, speech, language, languages, beginning: '' };
};

const detectBriefly = async (question: LanguageQuestion): Promise<LanguageDecision> => {
  const { prior, english, englishNeutral, multilingual } = question;
  const { model, speech, guess } = await asked(question, multilingual);
  const languages = weighLanguages(guess, prior, evidenceOfEnglish(english, englishNeutral));
  return { model, speech, language: likeliest(languages)[0], languages, beginning: '' };
};

/** Asks models until one is sure, or compares languages with the last one. */
const detect = async (question: LanguageQuestion): Promise<LanguageDecision> => {
  const { prior, english, englishNeutral, checkpoint } = question;
  const isListed = isShortList(prior.allowed);
  // Evening out causes more comparisons, which cost too much in a tier that transcribes with a smaller model.
  const isLesser = question.multilingual !== question.detector;
  const isEvened = !isListed && prior.belief === null && !isLesser;
  const weighed = (guess: LanguageProbabilities) =>
    weighLanguages(isEvened ? evenedOut(guess) : guess, prior, evidenceOfEnglish(english, englishNeutral));
  const [lesser, better] = modelsToAsk(question);
  const first = await asked(question, lesser);
  let languages = weighed(first.guess);
  let [language, probability] = likeliest(languages);
  if (better && probability >= SURE_OF_LESSER_MODEL) return { ...first, language, languages, beginning: '' };
  const last = better ? await asked(question, better) : first;
  languages = weighed(last.guess);
  [language, probability] = likeliest(languages);
  if (probability < SURE_PROBABILITY && question.secondDetector !== last.model) {
    const { guess } = question.secondDetector === lesser ? first : await asked(question, question.secondDetector);
    languages = weighed(pooled([last.guess, guess]));
    [language, probability] = likeliest(languages);
  }
  const { model, speech } = last;
  // With a list, a tier that transcribes with a smaller model skips the comparison.
  if (probability >= SURE_PROBABILITY || (isListed && model !== question.multilingual))
    return { model, speech, language, languages, beginning: '' };
  const beginningIn = (candidate: string, averageMin: number) =>
    candidate === 'en' && isLikelyEnglish(english, englishNeutral)
      ? { ...english, decodedShare: 1, isLoop: false }
      : speech.transcribeBeginning(candidate, averageMin, checkpoint);
  const candidatesMax = isLesser ? CANDIDATES_MAX_OF_LESSER : undefined;
  const compared = await compareLanguages(languages, beginningIn, isListed ? BY_SOUND : BY_TEXT, candidatesMax);
  return { model, speech, ...compared };
};

const asked = async (question: LanguageQuestion, model: MultilingualModel) => {
  const speech = await encode(question, model);
  return { model, speech, guess: await speech.detectLanguage() };
};

/** Possible English is worth the better model; for other languages, the smaller one may be sure enough. */
const modelsToAsk = ({
  multilingual,
  detector,
  prior,
  english,
}: LanguageQuestion): readonly [MultilingualModel, MultilingualModel?] => {
  if (prior.belief === 'en' || multilingual === detector) return [multilingual];
  return mayBeEnglish(english) ? [detector] : [multilingual, detector];
};

const encode = async (
  { samples, checkpoint }: LanguageQuestion,
  model: MultilingualModel,
): Promise<MultilingualSpeech> => {
  const speech = await model.encode(samples);
  checkpoint();
  return speech;
};
