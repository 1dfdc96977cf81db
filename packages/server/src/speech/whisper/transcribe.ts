// Transcribes a window with Whisper: detects loops, and retries with timestamps and at higher temperatures.

import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { seededRandom } from '../../lib/seeded-random.ts';
import type { Beginning, Hypothesis, TranscribeOptions } from '../acoustic/acoustic-model.ts';
import type { DecoderState } from '../acoustic/token-cache.ts';
import { isRepetitive } from '../decoding/repetition.ts';
import { HOP_SAMPLES, type LogMel } from '../features/log-mel.ts';
import type { SpeechTask } from '../recogniser.ts';
import { applyTerms, scoreByRows } from '../terms/apply-terms.ts';
import { textPieces } from '../words/words.ts';
import { type Decoded, decodeTokens, type Trail } from './decode.ts';
import { SILENCE_FRAMES } from './encoder.ts';
import type { WhisperGraphs } from './graphs.ts';
import { decodeWithTimestamps } from './timestamps.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface Whisper {
  readonly id: string;
  readonly graphs: WhisperGraphs;
  readonly tokenizer: WhisperTokenizer;
  readonly logMel: LogMel;
}

const FRAMES_PER_SECOND = SAMPLE_RATE_HZ / HOP_SAMPLES;
/** Silence appended to the audio, which the decoder needs to find the end. */
const TAIL_SECONDS = 3;
/** How much of this silence is encoded together with the audio. */
const TOGETHER_SECONDS = 0.5;
/** With fewer frames, the decoder loops; more exceed Whisper's positions. */
const FRAMES_MIN = 10 * FRAMES_PER_SECOND;
const FRAMES_MAX = 30 * FRAMES_PER_SECOND;
/** More preceding text does not help. */
const PRECEDING_TOKENS_MAX = 48;
const VOCABULARY_TOKENS_MAX = 96;
const LOG_PROBABILITY_MIN = -1;
/** Fewer or less likely words before a loop may be hallucinated like the loop itself. */
const KEPT_WORDS_MIN = 5;
const KEPT_LOG_PROBABILITY_MIN = -0.4;
const SEED = 0x9e3779b9;

export const encodeAudio = (whisper: Whisper, samples: Float32Array): Promise<DecoderState> => {
  const { frames, framesWithSilence } = framesFor(samples.length);
  return whisper.graphs.encode(whisper.logMel(samples, frames), frames, framesWithSilence);
};

/** How many frames are encoded for this number of samples, and how many the decoder sees. */
export const framesFor = (samples: number): { readonly frames: number; readonly framesWithSilence: number } => {
  const audioFrames = Math.ceil(samples / HOP_SAMPLES);
  const wanted = evenFrames(audioFrames + TAIL_SECONDS * FRAMES_PER_SECOND);
  const framesWithSilence = Math.min(FRAMES_MAX, Math.max(FRAMES_MIN, wanted));
  const isKept = framesWithSilence <= SILENCE_FRAMES;
  const frames = isKept ? evenFrames(audioFrames + TOGETHER_SECONDS * FRAMES_PER_SECOND) : framesWithSilence;
  return { frames, framesWithSilence };
};

/** The encoder halves the frames: keep their number even. */
const evenFrames = (frames: number): number => frames + (frames % 2);

/** Maximum number of tokens for this many samples; non-Latin scripts need several tokens per character. */
export const tokensMaxFor = (samples: number, language: string): number =>
  Math.ceil(16 + (samples / SAMPLE_RATE_HZ) * (language === 'en' ? 9 : 24));

export const transcribe = async (
  whisper: Whisper,
  audio: DecoderState,
  /** The encoded samples; encoded again from the middle when the decoder gets stuck. */
  samples: Float32Array,
  options: TranscribeOptions,
): Promise<Hypothesis> => {
  const { tokenizer, graphs } = whisper;
  const { language, task, precedingText = '', draft: draftText = '', temperatures = [], checkpoint } = options;
  const terms = vocabularyTokens(tokenizer, options.vocabulary ?? []);
  const preceding = precedingText === '' ? [] : tokenizer.encode(` ${precedingText}`).slice(-PRECEDING_TOKENS_MAX);
  // Preceding text helps with clear speech but misleads with unclear speech: use it only in the first attempt.
  const prompt = promptFor(whisper, language, terms, task);
  const firstPrompt = promptFor(whisper, language, [...terms, ...preceding], task);
  const draft = draftText === '' ? [] : tokenizer.encode(` ${draftText}`);
  // The same audio must give the same text.
  const random = seededRandom(SEED);
  const tokensMax = (count: number) => tokensMaxFor(count, language);
  // Other languages need more tokens than English: the cheapest tier, which has no temperatures, does not retry there.
  const mayRetry = language === 'en' || temperatures.length > 0;
  // A tier that samples at fewer temperatures also spends less on loops.
  const tokensInAllMax = tokensMax(samples.length) * (1 + temperatures.length);
  const decodePlainly = (temperature: number, withPrompt = prompt) => {
    const plain = {
      prompt: withPrompt,
      draft: temperature === 0 ? draft : [],
      tokensMax: tokensMax(samples.length),
      timestamps: null,
      temperature,
      random,
      keepsTrail: options.terms !== undefined,
    };
    return decodeTokens(graphs, tokenizer, audio, plain, checkpoint);
  };
  const decodeWithSeeks = () => {
    const encode = (rest: Float32Array) => encodeAudio(whisper, rest);
    const seeking = { prompt, samples, encode, tokensMaxFor: tokensMax, tokensInAllMax, temperature: 0, random };
    return decodeWithTimestamps(graphs, tokenizer, audio, seeking, checkpoint);
  };
  const first = await decodePlainly(0, firstPrompt);
  let best = describe(first, tokenizer);
  const isRepeated = repeats(best.text, precedingText);
  if (preceding.length > 0 && (isRepeated || isPoor(best))) {
    const again = describe(await decodePlainly(0), tokenizer);
    best = isRepeated ? again : better(best, again);
  }
  // Timestamps usually end a loop, at less cost in accuracy than sampling.
  if (best.degenerate && mayRetry) best = better(best, describe(await decodeWithSeeks(), tokenizer));
  for (const temperature of temperatures) {
    if (!isPoor(best)) break;
    best = better(best, describe(await decodePlainly(temperature), tokenizer));
  }
  if (best.degenerate && !isRepeated && isWorthKeeping(first, tokenizer))
    best = { ...describe(first, tokenizer), degenerate: false };
  return withTerms(whisper, best, options);
};

/** Whether confident words precede a loop that no attempt avoids, such as a number of equal digits: they are kept. */
const isWorthKeeping = ({ tokens, beforeLoop = 0, averageLogProbability }: Decoded, tokenizer: WhisperTokenizer) =>
  averageLogProbability >= KEPT_LOG_PROBABILITY_MIN &&
  tokenizer.decode(tokens.slice(0, beforeLoop)).trim().split(/\s+/u).length >= KEPT_WORDS_MIN;

/** Writes terms into the text, unless the text was assembled from several decodings. */
const withTerms = async (
  { id, graphs, tokenizer }: Whisper,
  { trail, ...hypothesis }: TrailedHypothesis,
  { terms, task, checkpoint }: TranscribeOptions,
): Promise<Hypothesis> => {
  if (!terms || !trail || hypothesis.degenerate || task === 'translate') return hypothesis;
  const { rows, state, promptLength } = trail;
  const forced = {
    model: id,
    encode: (text: string) => tokenizer.encode(` ${text}`),
    pieces: (tokens: readonly number[]) => textPieces(tokens, tokenizer.decode),
    endToken: tokenizer.endOfText,
    rows,
    score: scoreByRows(rows, (branches) =>
      graphs.decodeBranches(
        branches.map(({ count, tokens }) => ({ after: promptLength + count, tokens })),
        state,
      ),
    ),
  };
  const applied = await applyTerms(hypothesis, terms, forced, { checkpoint });
  return applied.terms ? { ...applied, text: tokenizer.decode(applied.tokens).trim() } : hypothesis;
};

/** Enough tokens to compare languages. */
const BEGINNING_TOKENS = 24;

/** Decodes the first words in a language; stops when their average cannot reach `averageMin`. */
export const transcribeBeginning = async (
  whisper: Whisper,
  audio: DecoderState,
  language: string,
  averageMin: number,
  checkpoint: () => void,
): Promise<Beginning> => {
  const { tokenizer, graphs } = whisper;
  const prompt = promptFor(whisper, language, []);
  // Even certain further words could not raise the average above this.
  const totalMin = averageMin * (BEGINNING_TOKENS + 1);
  const plain = { draft: [], timestamps: null, temperature: 0, random: () => 0 };
  const options = { ...plain, prompt, tokensMax: BEGINNING_TOKENS, totalMin };
  const { tokens, averageLogProbability, ending } = await decodeTokens(graphs, tokenizer, audio, options, checkpoint);
  const decodedShare = ending === 'cap' ? (tokens.length + 1) / (BEGINNING_TOKENS + 1) : 1;
  return { text: tokenizer.decode(tokens).trim(), averageLogProbability, decodedShare, isLoop: ending === 'loop' };
};

/** The prompt: preceding tokens, if any, then the language and the task. */
export const promptFor = (
  { id, tokenizer }: Whisper,
  language: string,
  previous: readonly number[],
  task: SpeechTask = 'transcribe',
): number[] => {
  const languageToken = tokenizer.languages.get(language);
  if (languageToken === undefined) throw new Error(`${id} does not support the language "${language}".`);
  const { startOfPrevious, startOfTranscript, noTimestamps } = tokenizer;
  return [
    ...(previous.length > 0 ? [startOfPrevious, ...previous] : []),
    startOfTranscript,
    ...(languageToken === null ? [] : [languageToken, tokenizer[task]]),
    noTimestamps,
  ];
};

/** Terms as preceding text, so that Whisper spells them the same way. */
const vocabularyTokens = (tokenizer: WhisperTokenizer, terms: readonly string[]): number[] =>
  terms.length === 0 ? [] : tokenizer.encode(` ${terms.join(', ')}.`).slice(0, VOCABULARY_TOKENS_MAX);

interface TrailedHypothesis extends Hypothesis {
  readonly trail?: Trail;
}

const describe = (decoded: Decoded, tokenizer: WhisperTokenizer): TrailedHypothesis => {
  const text = tokenizer.decode(decoded.tokens).trim();
  return {
    text,
    averageLogProbability: decoded.averageLogProbability,
    noSpeechProbability: decoded.noSpeechProbability,
    degenerate: decoded.ending !== 'end' || isRepetitive(text),
    stoppedEarly: false,
    tokens: decoded.tokens,
    logProbabilities: decoded.logProbabilities,
    ...(decoded.trail && { trail: decoded.trail }),
  };
};

/** Whether the text only repeats the preceding text, as happens with noise after speech. */
const repeats = (text: string, precedingText: string): boolean => text !== '' && precedingText.includes(text);

const isPoor = ({ degenerate, averageLogProbability }: Hypothesis): boolean =>
  degenerate || averageLogProbability < LOG_PROBABILITY_MIN;

const better = (a: TrailedHypothesis, b: TrailedHypothesis): TrailedHypothesis => {
  if (a.degenerate !== b.degenerate) return a.degenerate ? b : a;
  return b.averageLogProbability > a.averageLogProbability ? b : a;
};
