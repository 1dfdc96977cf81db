// Where two English hypotheses differ, has the multilingual model read only the parts between the surrounding pauses.
import { SAMPLES_PER_MS } from '../../../lib/sample-rate.ts';
import { type Hypothesis, isUsable, type LanguageProbabilities } from '../../acoustic/acoustic-model.ts';
import { isCredible } from '../../decoding/hallucination.ts';
import { evidenceOfEnglish } from '../../language/english-evidence.ts';
import { type LanguagePrior, likeliest, weighLanguages } from '../../language/prior.ts';
import type { RecognisedWord, SpeechWindow } from '../../recogniser.ts';
import { prepareTerms } from '../../terms/term-list.ts';
import { framesFor } from '../../whisper/transcribe.ts';
import type { TierModels } from '../load-models.ts';
import { precedingTextIn } from '../preceding-text.ts';
import { type DifferingPart, differingParts } from './differing-parts.ts';
import type { EncodedHypothesis, EnglishDecoding } from './hypotheses.ts';
import { vote } from './vote.ts';

/** A part of a short window costs little less than the whole, which has more context. */
const WINDOW_MS_MIN = 7000;
/** Parts that cost nearly as much as the window are not worth their missing context. */
const WORTHWHILE_SHARE = 0.8;

export interface PartsReading {
  /** Words of the whole window, with times if the window asks for them. */
  readonly words: readonly RecognisedWord[];
  /** Of the most probable part. */
  readonly averageLogProbability: number;
  /** Of the longest part. */
  readonly languages: LanguageProbabilities;
}

interface PartReading {
  readonly part: DifferingPart;
  readonly hypothesis: Hypothesis;
  readonly languages: LanguageProbabilities;
  readonly words: readonly RecognisedWord[];
}

/** Null when the whole window must be read: the parts are most of it, or one is unreadable or in another language. */
export const readParts = async (
  models: TierModels,
  window: SpeechWindow,
  prior: LanguagePrior,
  english: EnglishDecoding,
  second: EncodedHypothesis,
  checkpoint: () => void,
): Promise<PartsReading | null> => {
  const audioMs = window.samples.length / SAMPLES_PER_MS;
  if (audioMs < WINDOW_MS_MIN || window.pausePositions.length === 0) return null;
  if (!isUsable(english) || !isUsable(second.hypothesis)) return null;
  const secondWords = await second.speech.wordTimes(second.hypothesis, 'en');
  const pausesMs = window.pausePositions.map((sample) => sample / SAMPLES_PER_MS);
  const parts = differingParts(english.words, secondWords, pausesMs, audioMs, costOf);
  const cost = parts.reduce((sum, part) => sum + costOf(lengthOf(part)), 0);
  if (parts.length === 0 || cost > WORTHWHILE_SHARE * costOf(audioMs)) return null;
  const englishWords = window.wantWordTimes ? await english.speech.wordTimes(english, 'en') : english.words;
  const { weights } = models.tier;
  // The second model sets the spelling, because it read the context.
  const words: RecognisedWord[] = [];
  let at = 0;
  const readings: PartReading[] = [];
  for (const part of parts) {
    const [from, to] = part.second;
    words.push(...secondWords.slice(at, from));
    at = to;
    checkpoint();
    const reading = await readPart(models, window, prior, english, part, words, checkpoint);
    if (!reading) return null;
    readings.push(reading);
    const elected = vote([
      { words: secondWords.slice(from, to), weight: weights.secondEnglish },
      { words: reading.words, weight: weights.multilingual },
      { words: englishWords.slice(...part.first), weight: weights.english },
    ]);
    words.push(...elected);
  }
  const longest = readings.reduce((a, b) => (lengthOf(b.part) > lengthOf(a.part) ? b : a));
  return {
    words: [...words, ...secondWords.slice(at)],
    averageLogProbability: Math.max(...readings.map(({ hypothesis }) => hypothesis.averageLogProbability)),
    languages: longest.languages,
  };
};

const lengthOf = ({ fromMs, toMs }: DifferingPart): number => toMs - fromMs;

/** Reading costs about as much as encoding this many frames, besides those of the audio: prompt, language, end. */
const FRAMES_PER_READING = 200;

const costOf = (audioMs: number): number => framesFor(audioMs * SAMPLES_PER_MS).frames + FRAMES_PER_READING;

const readPart = async (
  { tier, multilingual }: TierModels,
  window: SpeechWindow,
  prior: LanguagePrior,
  english: EnglishDecoding,
  part: DifferingPart,
  before: readonly RecognisedWord[],
  checkpoint: () => void,
): Promise<PartReading | null> => {
  const samples = window.samples.subarray(part.fromMs * SAMPLES_PER_MS, part.toMs * SAMPLES_PER_MS);
  const speech = await multilingual.encode(samples);
  checkpoint();
  const evidence = evidenceOfEnglish(english, tier.englishNeutral);
  const languages = weighLanguages(await speech.detectLanguage(), prior, evidence);
  if (likeliest(languages)[0] !== 'en') return null;
  const textOf = (words: readonly RecognisedWord[]) => words.map(({ text }) => text).join(' ');
  const hypothesis = await speech.transcribe({
    language: 'en',
    terms: prepareTerms(window.vocabulary),
    precedingText: `${precedingTextIn('en', window)} ${textOf(before)}`.trim(),
    draft: textOf(english.words.slice(...part.first)),
    temperatures: tier.temperatures,
    checkpoint,
  });
  if (!isCredible(hypothesis)) return null;
  const words = window.wantWordTimes ? await speech.wordTimes(hypothesis, 'en') : speech.words(hypothesis);
  return { part, hypothesis, languages, words: words.map((word) => moved(word, part.fromMs)) };
};

const moved = (word: RecognisedWord, byMs: number): RecognisedWord => ({
  ...word,
  startMs: word.startMs + byMs,
  endMs: word.endMs + byMs,
});
