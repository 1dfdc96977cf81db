// Where two English hypotheses differ, has the multilingual model read only the part between the surrounding pauses.
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
import { type DifferingPart, differingPart } from './differing-part.ts';
import type { EncodedHypothesis, EnglishDecoding } from './hypotheses.ts';
import { vote } from './vote.ts';

/** A part of a short window costs little less than the whole, which has more context. */
const WINDOW_MS_MIN = 7000;
/** A part that costs nearly as much as the window is not worth its missing context. */
const WORTHWHILE_SHARE = 0.8;

export interface PartReading {
  /** Words of the whole window, with times if the window asks for them. */
  readonly words: readonly RecognisedWord[];
  /** Hypothesis of the part. */
  readonly hypothesis: Hypothesis;
  readonly languages: LanguageProbabilities;
}

/** Null when the whole window must be read: the part is most of it, unreadable, or in another language. */
export const readPart = async (
  { tier, multilingual }: TierModels,
  window: SpeechWindow,
  prior: LanguagePrior,
  english: EnglishDecoding,
  second: EncodedHypothesis,
  checkpoint: () => void,
): Promise<PartReading | null> => {
  const audioMs = window.samples.length / SAMPLES_PER_MS;
  if (audioMs < WINDOW_MS_MIN || window.pausePositions.length === 0) return null;
  if (!isUsable(english) || !isUsable(second.hypothesis)) return null;
  const secondWords = await second.speech.wordTimes(second.hypothesis, 'en');
  const pausesMs = window.pausePositions.map((sample) => sample / SAMPLES_PER_MS);
  const part = differingPart(english.words, secondWords, pausesMs, audioMs);
  if (part === null || costOf(part.toMs - part.fromMs) > WORTHWHILE_SHARE * costOf(audioMs)) return null;
  checkpoint();
  const samples = window.samples.subarray(part.fromMs * SAMPLES_PER_MS, part.toMs * SAMPLES_PER_MS);
  const speech = await multilingual.encode(samples);
  checkpoint();
  const evidence = evidenceOfEnglish(english, tier.englishNeutral);
  const languages = weighLanguages(await speech.detectLanguage(), prior, evidence);
  if (likeliest(languages)[0] !== 'en') return null;
  const textOf = (words: readonly RecognisedWord[]) => words.map(({ text }) => text).join(' ');
  const before = textOf(secondWords.slice(0, part.second[0]));
  const hypothesis = await speech.transcribe({
    language: 'en',
    terms: prepareTerms(window.vocabulary),
    precedingText: `${precedingTextIn('en', window)} ${before}`.trim(),
    draft: textOf(english.words.slice(...part.first)),
    temperatures: tier.temperatures,
    checkpoint,
  });
  if (!isCredible(hypothesis)) return null;
  const [englishWords, read] = window.wantWordTimes
    ? [await english.speech.wordTimes(english, 'en'), await speech.wordTimes(hypothesis, 'en')]
    : [english.words, speech.words(hypothesis)];
  return { words: combined(part, englishWords, secondWords, read, tier.weights), hypothesis, languages };
};

/** Frames that Whisper encodes for this much audio. */
const costOf = (audioMs: number): number => framesFor(audioMs * SAMPLES_PER_MS).frames;

/** The second model's words, with the elected words in the part. It sets the spelling, because it read the context. */
const combined = (
  part: DifferingPart,
  english: readonly RecognisedWord[],
  second: readonly RecognisedWord[],
  read: readonly RecognisedWord[],
  weights: TierModels['tier']['weights'],
): readonly RecognisedWord[] => {
  const [from, to] = part.second;
  const elected = vote([
    { words: second.slice(from, to), weight: weights.secondEnglish },
    { words: read.map((word) => moved(word, part.fromMs)), weight: weights.multilingual },
    { words: english.slice(...part.first), weight: weights.english },
  ]);
  return [...second.slice(0, from), ...elected, ...second.slice(to)];
};

const moved = (word: RecognisedWord, byMs: number): RecognisedWord => ({
  ...word,
  startMs: word.startMs + byMs,
  endMs: word.endMs + byMs,
});
