// Whisper over a window of speech: guards against loops, a second try with timestamps, others at a temperature.
import { compressionRatio } from '../decoding/repetition.ts';
import { HOP_SAMPLES, type LogMel } from '../features/log-mel.ts';
import { type Decoded, decodeTokens } from './decode.ts';
import type { DecoderMemory, WhisperModel } from './model.ts';
import { decodeWithTimestamps } from './timestamps.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface Whisper {
  readonly id: string;
  readonly model: WhisperModel;
  readonly tokenizer: WhisperTokenizer;
  readonly logMel: LogMel;
}

export interface Transcript {
  readonly text: string;
  readonly averageLogProbability: number;
  readonly noSpeechProbability: number;
  /** The text repeats itself or never ended: not to be shown as it is. */
  readonly degenerate: boolean;
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
}

export interface TranscribeOptions {
  /** Whisper's code. */
  readonly language: string;
  /** What was encoded: read again from its middle where the decoder gets stuck. */
  readonly samples: Float32Array;
  /** Words to listen for, as tokens of earlier text. */
  readonly terms: readonly number[];
  /** What was said right before; empty when that is not known. */
  readonly before: string;
  /** What another model heard in the same audio; empty when there is no such text. */
  readonly draft: string;
  /** Tried in turn while the text is a loop or improbable. */
  readonly temperatures: readonly number[];
  readonly checkpoint: () => void;
}

const SAMPLES_PER_SECOND = 16_000;
const FRAMES_PER_SECOND = SAMPLES_PER_SECOND / HOP_SAMPLES;
/** Silence after the audio, without which the decoder does not find the end. */
const TAIL_SECONDS = 3;
/** Below this the decoder loops; above it Whisper has no positions. */
const FRAMES_MIN = 10 * FRAMES_PER_SECOND;
const FRAMES_MAX = 30 * FRAMES_PER_SECOND;
/** More of the text before does not help more. */
const BEFORE_TOKENS_MAX = 48;
const COMPRESSION_MAX = 2.4;
const LOG_PROBABILITY_MIN = -1;
const SEED = 0x9e3779b9;

export const encodeAudio = (whisper: Whisper, samples: Float32Array): Promise<DecoderMemory> => {
  const wanted = Math.ceil(samples.length / HOP_SAMPLES) + TAIL_SECONDS * FRAMES_PER_SECOND;
  // The encoder halves the frames: keep their number even.
  const frames = Math.min(FRAMES_MAX, Math.max(FRAMES_MIN, wanted + (wanted % 2)));
  return whisper.model.encode(whisper.logMel(samples, frames), frames);
};

/** Most tokens that may be said in so much audio; scripts outside Latin take several tokens a letter. */
export const tokensMaxFor = (samples: number, language: string): number =>
  Math.ceil(16 + (samples / SAMPLES_PER_SECOND) * (language === 'en' ? 9 : 24));

export const transcribe = async (
  whisper: Whisper,
  audio: DecoderMemory,
  options: TranscribeOptions,
): Promise<Transcript> => {
  const { tokenizer, model } = whisper;
  const before = options.before === '' ? [] : tokenizer.encode(` ${options.before}`).slice(-BEFORE_TOKENS_MAX);
  // Text before helps to hear, and misleads where hearing is hard: only the first try has it.
  const prompt = promptFor(whisper, options.language, options.terms);
  const firstPrompt = promptFor(whisper, options.language, [...options.terms, ...before]);
  const draft = options.draft === '' ? [] : tokenizer.encode(` ${options.draft}`);
  const random = makeRandom();
  const tokensMax = (samples: number) => tokensMaxFor(samples, options.language);
  const readPlainly = (temperature: number, withPrompt = prompt) => {
    const guess = temperature === 0 ? draft : [];
    const most = tokensMax(options.samples.length);
    const plain = { prompt: withPrompt, draft: guess, tokensMax: most, timestamps: null, temperature, random };
    return decodeTokens(model, tokenizer, audio, plain, options.checkpoint);
  };
  const readInTurns = () => {
    const encode = (samples: Float32Array) => encodeAudio(whisper, samples);
    const seeking = { prompt, samples: options.samples, encode, tokensMaxFor: tokensMax, temperature: 0, random };
    return decodeWithTimestamps(model, tokenizer, audio, seeking, options.checkpoint);
  };
  let best = describe(await readPlainly(0, firstPrompt), tokenizer);
  const isRepeated = repeats(best.text, options.before);
  if (before.length > 0 && (isRepeated || isPoor(best))) {
    const again = describe(await readPlainly(0), tokenizer);
    best = isRepeated ? again : better(best, again);
  }
  // Timestamps mostly lead out of a loop, and cost less than sampling does in accuracy.
  if (best.degenerate) best = better(best, describe(await readInTurns(), tokenizer));
  for (const temperature of options.temperatures) {
    if (!isPoor(best)) break;
    best = better(best, describe(await readPlainly(temperature), tokenizer));
  }
  return best;
};

/** Enough to compare languages by. */
const BEGINNING_TOKENS = 24;

export interface Beginning {
  readonly text: string;
  /** Of what was read. */
  readonly averageLogProbability: number;
  /** How much was read of what would have been; below 1 where it was given up. */
  readonly readShare: number;
  readonly isLoop: boolean;
}

/** The first words in a language, or all of them when they are few; fewer where the average cannot reach the least. */
export const readBeginning = async (
  whisper: Whisper,
  audio: DecoderMemory,
  language: string,
  averageMin: number,
  checkpoint: () => void,
): Promise<Beginning> => {
  const { tokenizer, model } = whisper;
  const prompt = promptFor(whisper, language, []);
  // Further words can make the average no better than if each were certain.
  const totalMin = averageMin * (BEGINNING_TOKENS + 1);
  const plain = { draft: [], timestamps: null, temperature: 0, random: () => 0 };
  const options = { ...plain, prompt, tokensMax: BEGINNING_TOKENS, totalMin };
  const { tokens, averageLogProbability, ending } = await decodeTokens(model, tokenizer, audio, options, checkpoint);
  const readShare = ending === 'cap' ? (tokens.length + 1) / (BEGINNING_TOKENS + 1) : 1;
  return { text: tokenizer.decode(tokens).trim(), averageLogProbability, readShare, isLoop: ending === 'loop' };
};

/** What stands before the first word: earlier text if there is any, then the language and the task. */
export const promptFor = ({ id, tokenizer }: Whisper, language: string, previous: readonly number[]): number[] => {
  const languageToken = tokenizer.languages.get(language);
  if (languageToken === undefined) throw new Error(`${id} does not know the language "${language}".`);
  const { startOfPrevious, startOfTranscript, noTimestamps } = tokenizer;
  return [
    ...(previous.length > 0 ? [startOfPrevious, ...previous] : []),
    ...[startOfTranscript, languageToken, tokenizer.transcribe, noTimestamps],
  ];
};

const describe = (decoded: Decoded, tokenizer: WhisperTokenizer): Transcript => {
  const text = tokenizer.decode(decoded.tokens).trim();
  return {
    text,
    averageLogProbability: decoded.averageLogProbability,
    noSpeechProbability: decoded.noSpeechProbability,
    degenerate: decoded.ending !== 'end' || compressionRatio(text) > COMPRESSION_MAX,
    tokens: decoded.tokens,
    logProbabilities: decoded.logProbabilities,
  };
};

/** Whether a text was only said again, which is what becomes of noise behind speech. */
const repeats = (text: string, before: string): boolean => text !== '' && before.includes(text);

const isPoor = ({ degenerate, averageLogProbability }: Transcript): boolean =>
  degenerate || averageLogProbability < LOG_PROBABILITY_MIN;

const better = (a: Transcript, b: Transcript): Transcript => {
  if (a.degenerate !== b.degenerate) return a.degenerate ? b : a;
  return b.averageLogProbability > a.averageLogProbability ? b : a;
};

/** The same audio must give the same text, so sampling is seeded (mulberry32). */
const makeRandom = (): (() => number) => {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
