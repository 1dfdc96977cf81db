// Builds the cascade's answers: the text of one hypothesis or of several combined, with its words and terms.
import type { Hypothesis, LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { isCredible, isHallucination } from '../decoding/hallucination.ts';
import { chooseScript } from '../language/chinese-script.ts';
import type { LanguageDecision } from '../language/decide-language.ts';
import { englishProbability } from '../language/english-evidence.ts';
import { rankGuesses } from '../language/prior.ts';
import type { RecognisedWord, Recognition, SpeechWindow } from '../recogniser.ts';
import { placedTerms } from '../terms/placed-terms.ts';
import { type EncodedHypothesis, type EnglishDecoding, weightedHypothesisOf } from './english/hypotheses.ts';
import { mergeHypotheses } from './english/merge-hypotheses.ts';
import type { PartsReading } from './english/read-parts.ts';
import { chooseEnglish } from './english/trust.ts';
import { vote } from './english/vote.ts';
import type { Tier } from './tiers.ts';

/** A hypothesis in a language. */
export type ReadDecoding = EncodedHypothesis & Pick<LanguageDecision, 'language' | 'languages'>;

/** A hypothesis that confirms another English model's. Two English models do not agree on other languages. */
export const englishOnly = ({ speech, hypothesis }: EncodedHypothesis): ReadDecoding => ({
  speech,
  hypothesis,
  language: 'en',
  languages: new Map([['en', englishProbability(hypothesis.averageLogProbability)]]),
});

/** `languages`: the multilingual model's probabilities, if it ran. */
export const answerEnglish = async (
  english: EnglishDecoding,
  window: SpeechWindow,
  languages: LanguageProbabilities | null,
): Promise<Recognition> => {
  const { text, averageLogProbability, speech } = english;
  if (isHallucination({ text, averageLogProbability, noSpeechProbability: 0 })) return answer('', english, [], []);
  const guesses = languages
    ? rankGuesses(languages)
    : [{ language: 'en', probability: englishProbability(averageLogProbability) }];
  const words = window.wantWordTimes ? await speech.wordTimes(english, 'en') : [];
  return { ...answer(text, english, guesses, words), ...placedTerms(text, english.words) };
};

/** Merges two hypotheses of the same English speech. */
export const answerMerged = async (
  english: EnglishDecoding,
  { speech, hypothesis, language, languages }: ReadDecoding,
  { wantWordTimes }: SpeechWindow,
): Promise<Recognition> => {
  const words = wantWordTimes
    ? mergeHypotheses(await english.speech.wordTimes(english, 'en'), await speech.wordTimes(hypothesis, language))
    : mergeHypotheses(english.words, speech.words(hypothesis));
  const averageLogProbability = Math.max(english.averageLogProbability, hypothesis.averageLogProbability);
  const confidence = { averageLogProbability, noSpeechProbability: hypothesis.noSpeechProbability };
  return answerCombined(words, confidence, languages, wantWordTimes);
};

/** Keeps the more credible of two hypotheses of the same English speech, or merges them. */
export const answerChosen = async (
  english: EnglishDecoding,
  second: ReadDecoding,
  window: SpeechWindow,
): Promise<Recognition> => {
  const kept = chooseEnglish(english, second.hypothesis);
  if (kept === 'english') return answerEnglish(english, window, second.languages);
  return kept === 'both' ? answerMerged(english, second, window) : answerRead(second, window);
};

/** Combines up to three hypotheses of the same English speech by vote. */
export const answerVoted = async (
  english: EnglishDecoding,
  { speech, hypothesis, languages }: ReadDecoding,
  secondEnglish: EncodedHypothesis,
  { wantWordTimes }: SpeechWindow,
  weights: Tier['weights'],
): Promise<Recognition> => {
  const spoken = [
    { hypothesis, speech, weight: weights.multilingual },
    { hypothesis: english, speech: english.speech, weight: weights.english },
    { ...secondEnglish, weight: weights.secondEnglish },
  ].filter((each) => isCredible(each.hypothesis));
  const [first] = spoken;
  if (!first) return answer('', hypothesis, [], []);
  const hypotheses = await Promise.all(spoken.map((each) => weightedHypothesisOf(each, each.weight, wantWordTimes)));
  const averageLogProbability = Math.max(...spoken.map((each) => each.hypothesis.averageLogProbability));
  const confidence = { averageLogProbability, noSpeechProbability: hypothesis.noSpeechProbability };
  return answerCombined(vote(hypotheses), confidence, languages, wantWordTimes);
};

/** Answers with the words of a window of which all models read only parts. */
export const answerParts = (
  { words, languages, ...reading }: PartsReading,
  english: EnglishDecoding,
  { wantWordTimes }: SpeechWindow,
): Recognition => {
  const averageLogProbability = Math.max(english.averageLogProbability, reading.averageLogProbability);
  return answerCombined(words, { averageLogProbability, noSpeechProbability: 0 }, languages, wantWordTimes);
};

const answerCombined = (
  words: readonly RecognisedWord[],
  confidence: Pick<Hypothesis, 'averageLogProbability' | 'noSpeechProbability'>,
  languages: LanguageProbabilities,
  wantWordTimes: boolean,
): Recognition => {
  const text = words.map((word) => word.text).join(' ');
  const shown = isHallucination({ text, ...confidence }) ? '' : text;
  return {
    ...answer(shown, confidence, rankGuesses(languages), wantWordTimes ? words : []),
    ...placedTerms(shown, words),
  };
};

/** The text of one hypothesis. */
export const answerRead = async (
  { speech, hypothesis, language, languages }: ReadDecoding,
  window: SpeechWindow,
): Promise<Recognition> => {
  const isShown = isCredible(hypothesis);
  const words = isShown && window.wantWordTimes ? await speech.wordTimes(hypothesis, language) : [];
  const inScript = (text: string) => chooseScript(text, language, window.languageHint);
  const shown = isShown ? inScript(hypothesis.text) : '';
  return {
    ...answer(
      shown,
      hypothesis,
      rankGuesses(languages),
      words.map((word) => ({ ...word, text: inScript(word.text) })),
    ),
    ...placedTerms(shown, hypothesis.terms ? speech.words(hypothesis) : []),
  };
};

export const answer = (
  text: string,
  { averageLogProbability }: Pick<Hypothesis, 'averageLogProbability'>,
  languages: Recognition['languages'],
  words: readonly RecognisedWord[],
): Recognition => ({
  text,
  words,
  languages: text === '' ? [] : languages,
  languageChange: null,
  averageLogProbability,
});
