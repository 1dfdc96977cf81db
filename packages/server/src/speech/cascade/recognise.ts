// The cascade: a window goes to the tier's fast English model first, and to the multilingual one if that is unsure.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { type AcousticModel, draftOf, type EncodedSpeech, isUsable } from '../acoustic/acoustic-model.ts';
import { isCredible } from '../decoding/hallucination.ts';
import { modelCodeOf } from '../language/codes.ts';
import { decideLanguage, type LanguageDecision } from '../language/decide-language.ts';
import { isEnglishInBoth, mayBeEnglish } from '../language/english-evidence.ts';
import { findLanguageChange } from '../language/language-change.ts';
import { type AllowedLanguages, type LanguagePrior, rankGuesses } from '../language/prior.ts';
import type { Recognition, SpeechWindow } from '../recogniser.ts';
import { prepareTerms } from '../terms/term-list.ts';
import {
  answer,
  answerChosen,
  answerEnglish,
  answerMerged,
  answerParts,
  answerRead,
  answerVoted,
  englishOnly,
  type ReadDecoding,
} from './answers.ts';
import {
  agree,
  type EncodedHypothesis,
  type EnglishDecoding,
  encodedHypothesisOf,
  isConfirmed,
  isEnglishThroughout,
} from './english/hypotheses.ts';
import { readParts } from './english/read-parts.ts';
import { sentenceEnd } from './english/sentence-end.ts';
import { isSure, isTrusted } from './english/trust.ts';
import type { TierModels } from './load-models.ts';
import { precedingTextIn } from './preceding-text.ts';
import { readAlone, readBelieved } from './read-alone.ts';
import type { Tier } from './tiers.ts';

/** How many pauses to check for a language change; in a believed language it is less likely. */
const PAUSES_UNKNOWN = 3;
const PAUSES_BELIEVED = 1;
/** English that the English model is sure of, or in which another model hears the same, contains no other language. */
const PAUSES_TRUSTED = 0;

export const recogniseWith = async (
  models: TierModels,
  window: SpeechWindow,
  checkpoint: () => void,
): Promise<Recognition> => {
  const recognition = await readWith(models, window, checkpoint);
  if (!window.endsAtShortPause || window.isInterim) return recognition;
  const probability = await sentenceEnd(models.english, window, recognition, checkpoint);
  return probability === undefined ? recognition : { ...recognition, sentenceEnd: probability };
};

const readWith = async (models: TierModels, window: SpeechWindow, checkpoint: () => void): Promise<Recognition> => {
  if (window.task === 'translate') return translateWith(models, window, checkpoint);
  const { tier } = models;
  const prior = priorOf(models, window);
  const question = { tier, window, checkpoint };
  /** Languages already tried without a usable text in that language. */
  const triedLanguages = new Set<string>();
  const readerOf = (language: string) => (triedLanguages.has(language) ? undefined : models.readers?.get(language));
  const readIn = async (language: string): Promise<Recognition | null> => {
    const reader = readerOf(language);
    const read = reader ? await readBelieved(reader, language, prior.allowed, question) : null;
    triedLanguages.add(language);
    return read && answerRead(read, window);
  };
  // The caption model, if the tier has one, reads interims; the reader reads finals.
  const isDrafted = window.isInterim && window.isCaptioned && tier.captions !== null && prior.belief === 'en';
  const believed = prior.belief === null || isDrafted ? null : await readIn(prior.belief);
  if (believed) return believed;
  let english: EnglishDecoding | null = null;
  let secondEnglish: EncodedHypothesis | null = null;
  let isAccepted = false;
  const isEnglishAllowed = prior.allowed?.has('en') ?? true;
  if (isEnglishAllowed && (prior.belief === null || prior.belief === 'en')) {
    const speech = await models.english.encode(window.samples);
    english = await transcribeEnglish(speech, window, prior.belief === null, checkpoint);
    isAccepted = isTrusted(english, prior, tier.trust);
    if (window.isInterim && seemsEnglish(english, prior, tier))
      return isUsable(english) ? answerEnglish(english, window, null) : answer('', english, [], []);
    const read = isAccepted ? await readIn('en') : null;
    if (read) return read;
    const isAlone = tier.trustAlone !== null && isSure(english, tier.trustAlone);
    if (isAccepted && models.secondEnglish && !isAlone) {
      secondEnglish = await transcribeAlong(models.secondEnglish, window, english, checkpoint);
      const { hypothesis, speech } = secondEnglish;
      if (agree(encodedHypothesisOf(english), secondEnglish))
        return answerEnglish({ ...hypothesis, words: speech.words(hypothesis), speech }, window, null);
      const parts = await readParts(models, window, prior, english, secondEnglish, checkpoint);
      if (parts) return answerParts(parts, english, window);
    } else if (isAccepted) return answerEnglish(english, window, null);
    else if (models.fallbackEnglish && isWorthConfirming(english, prior) && !isDetectedBriefly(tier, window, prior)) {
      const fallback = await transcribeAlong(models.fallbackEnglish, window, english, checkpoint);
      if (isConfirmed(encodedHypothesisOf(english), fallback))
        return answerMerged(english, englishOnly(fallback), window);
      // The second model is sure of other words, and English is expected.
      const heard = { ...fallback.hypothesis, words: fallback.speech.words(fallback.hypothesis) };
      if (prior.belief === 'en' && isTrusted(heard, prior, tier.trust))
        return answerRead(englishOnly(fallback), window);
      // No third model is needed to tell whether it is English.
      if (prior.allowed?.size === 1 && isUsable(fallback.hypothesis))
        return answerChosen(english, englishOnly(fallback), window);
    }
  }
  const decision = await decideLanguage(questionOf(models, window, prior, english, checkpoint));
  const reader = readerOf(decision.language);
  const alone = reader ? await readAlone(reader, decision.language, decision.languages, question) : null;
  const second = alone ?? (await transcribeDecided(decision, tier, window, english, checkpoint));
  const isEnglish =
    english !== null && second.language === 'en' && isEnglishThroughout(encodedHypothesisOf(english), second);
  const pauses = window.pausePositions.slice(0, isEnglish ? PAUSES_TRUSTED : pausesToAskAt(prior, isAccepted));
  const languageChange = await findLanguageChange(decision.speech, pauses, window.samples.length, prior.allowed);
  if (english && !alone && second.language === 'en') {
    // Poor English that neither model transcribes well: the English model's full text is better than nothing.
    if (english.stoppedEarly && !isUsable(second.hypothesis)) {
      english = await transcribeEnglish(english.speech, window, false, checkpoint);
    }
    if (models.secondEnglish) {
      secondEnglish ??= await transcribeAlong(models.secondEnglish, window, english, checkpoint);
      return { ...(await answerVoted(english, second, secondEnglish, window, tier.weights)), languageChange };
    }
    return { ...(await answerChosen(english, second, window)), languageChange };
  }
  return { ...(await answerRead(second, window)), languageChange };
};

const pausesToAskAt = ({ belief, allowed }: LanguagePrior, isAccepted: boolean): number => {
  if (belief === 'en') return isAccepted ? PAUSES_TRUSTED : PAUSES_UNKNOWN;
  // A caller who lists several languages expects changes between them.
  return belief === null || allowed ? PAUSES_UNKNOWN : PAUSES_BELIEVED;
};

/** Whether the text is good enough for an interim: detecting the language costs more than the rest of an utterance. */
const seemsEnglish = (english: EnglishDecoding, { belief, hint }: LanguagePrior, { englishNeutral }: Tier): boolean =>
  belief === 'en' ||
  ((hint === null || hint === 'en') && isUsable(english) && english.averageLogProbability >= englishNeutral);

/** Whether to ask the fallback model: the text is usable and not improbable as English. */
const isWorthConfirming = (english: EnglishDecoding, { belief, hint }: LanguagePrior): boolean =>
  isUsable(english) && (belief === 'en' || ((hint === null || hint === 'en') && mayBeEnglish(english)));

/** A short window in an unknown language is read once more, by the model that also detects the language. */
const isDetectedBriefly = (tier: Tier, { samples }: SpeechWindow, { belief, allowed }: LanguagePrior): boolean =>
  isBrief(tier, samples) && belief === null && allowed === null;

const isBrief = ({ detectorSecondsMin }: Tier, samples: Float32Array): boolean =>
  samples.length < detectorSecondsMin * SAMPLE_RATE_HZ;

const priorOf = ({ multilingual }: TierModels, window: SpeechWindow): LanguagePrior => {
  const codeOf = (language: string): string | null => modelCodeOf(language, multilingual.languages);
  const allowed = allowedOf(window.languages?.flatMap((language) => codeOf(language) ?? []) ?? []);
  const only = allowed?.size === 1 ? [...allowed][0]! : null;
  const known = (language: string | null): string | null => {
    const code = language && codeOf(language);
    return code && (allowed?.has(code) ?? true) ? code : only;
  };
  return {
    belief: known(window.language),
    hint: known(window.languageHint),
    recent: new Map(
      window.recentLanguages?.map(({ language, probability }) => [codeOf(language) ?? language, probability]),
    ),
    allowed,
  };
};

/** Null when the model supports none of the listed languages: it could not detect any of them. */
const allowedOf = (codes: readonly string[]): AllowedLanguages => (codes.length === 0 ? null : new Set(codes));

const questionOf = (
  { tier, multilingual, detector, secondDetector }: TierModels,
  { samples, vocabulary }: SpeechWindow,
  prior: LanguagePrior,
  english: EnglishDecoding | null,
  checkpoint: () => void,
): Parameters<typeof decideLanguage>[0] => ({
  samples,
  multilingual,
  detector,
  secondDetector,
  isBrief: isBrief(tier, samples),
  prior,
  english: english && { ...english, termsHeard: prepareTerms(vocabulary)?.heardIn(draftOf(english)) ?? 0 },
  englishNeutral: tier.englishNeutral,
  checkpoint,
});

/** Only the multilingual model translates. The reported languages are the spoken ones; the text is English. */
const translateWith = async (
  models: TierModels,
  window: SpeechWindow,
  checkpoint: () => void,
): Promise<Recognition> => {
  const { tier } = models;
  const question = questionOf(models, window, priorOf(models, window), null, checkpoint);
  const { speech, language, languages } = await decideLanguage(question);
  const hypothesis = await speech.transcribe({
    language,
    task: 'translate',
    vocabulary: window.vocabulary.map(({ text }) => text),
    precedingText: window.precedingText?.text ?? '',
    temperatures: tier.temperatures,
    checkpoint,
  });
  // A translation differs in word order from the speech, so there are no word times.
  return answer(isCredible(hypothesis) ? hypothesis.text : '', hypothesis, rankGuesses(languages), []);
};

const transcribeEnglish = async (
  speech: EncodedSpeech,
  { committedText = '', draft = '', wantWordTimes, vocabulary }: SpeechWindow,
  stopWhenUnlikely: boolean,
  checkpoint: () => void,
): Promise<EnglishDecoding> => {
  const hypothesis = await speech.transcribe({
    language: 'en',
    committedText,
    draft,
    wantWordTimes,
    stopWhenUnlikely,
    terms: prepareTerms(vocabulary),
    checkpoint,
  });
  return { ...hypothesis, words: speech.words(hypothesis), speech };
};

/** Runs another English model with the first one's text as draft. */
const transcribeAlong = async (
  model: AcousticModel,
  window: SpeechWindow,
  english: EnglishDecoding,
  checkpoint: () => void,
): Promise<EncodedHypothesis> => {
  const { samples, vocabulary } = window;
  const speech = await model.encode(samples);
  checkpoint();
  const hypothesis = await speech.transcribe({
    language: 'en',
    terms: prepareTerms(vocabulary),
    precedingText: precedingTextIn('en', window),
    draft: draftOf(english),
    checkpoint,
  });
  return { hypothesis, speech };
};

const transcribeDecided = async (
  decision: LanguageDecision,
  tier: Tier,
  window: SpeechWindow,
  english: EnglishDecoding | null,
  checkpoint: () => void,
): Promise<ReadDecoding> => {
  const { vocabulary, committedText = '', draft = '' } = window;
  const { speech, language, beginning } = decision;
  const hypothesis = await speech.transcribe({
    language,
    terms: prepareTerms(vocabulary),
    precedingText: precedingTextIn(language, window),
    // In English, the English model's full text is the better draft.
    draft:
      language === 'en' && english && !english.degenerate
        ? draftOf(english)
        : beginning || `${committedText} ${draft}`.trim(),
    temperatures: tier.temperatures,
    checkpoint,
  });
  return language !== 'en' && (await isEnglishInBoth(english, hypothesis.text))
    ? { ...decision, hypothesis, language: 'en', languages: new Map([['en', 1]]) }
    : { ...decision, hypothesis };
};
