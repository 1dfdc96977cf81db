// Moonshine over a window of English speech, with guards against loops.
import llamaTokenizer from 'llama-tokenizer-js';
import { chooseGreedy } from '../decoding/choose-token.ts';
import { compressionRatio, findLoop } from '../decoding/repetition.ts';
import type { MoonshineMemory, MoonshineModel } from './model.ts';

export const BEGIN = 1;
const END = 2;
const SAMPLE_RATE = 16_000;
/** English speech stays below this; beyond it the decoder is looping. */
const TOKENS_PER_SECOND_MAX = 6.5;
const TOKENS_MIN = 8;
/** The encoder fails on less. */
const SAMPLES_MIN = 1600;
const COMPRESSION_MAX = 2.4;
/** Whoever is this unsure on average after so many tokens is most likely hearing another language: see docs/decisions/tiers.md. */
const LOST_TOKENS = 12;
const LOST_LOG_PROBABILITY = -0.9;

export interface MoonshineTranscript {
  readonly text: string;
  readonly averageLogProbability: number;
  readonly degenerate: boolean;
  /** The model was at a loss and stopped: the text is only a beginning. */
  readonly isLost: boolean;
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
  /** The encoded audio, for word times. */
  readonly audio: MoonshineMemory;
}

export const transcribeEnglish = async (
  model: MoonshineModel,
  samples: Float32Array,
  checkpoint: () => void,
  whenLost: 'read on' | 'stop' = 'read on',
): Promise<MoonshineTranscript> => {
  const tokensMax = Math.ceil(TOKENS_MIN + (samples.length / SAMPLE_RATE) * TOKENS_PER_SECOND_MAX);
  const audio = await model.encode(atLeast(samples, SAMPLES_MIN));
  let memory = audio;
  const tokens: number[] = [];
  const logProbabilities: number[] = [];
  let token = BEGIN;
  let total = 0;
  let isLooping = false;
  let isLost = false;
  while (tokens.length <= tokensMax && !isLooping && !isLost) {
    checkpoint();
    const step = await model.decode(token, memory);
    memory = step.memory;
    const choice = chooseGreedy(step.row);
    total += choice.logProbability;
    token = choice.token;
    if (token === END) break;
    tokens.push(token);
    logProbabilities.push(choice.logProbability);
    const loop = findLoop(tokens);
    if (loop) {
      tokens.length = loop.keep;
      logProbabilities.length = loop.keep;
      isLooping = true;
    }
    const isUnsure = tokens.length >= LOST_TOKENS && total < LOST_LOG_PROBABILITY * tokens.length;
    isLost = whenLost === 'stop' && isUnsure && !isLooping;
  }
  const text = llamaTokenizer.decode(tokens, false, true).trim();
  return {
    text,
    averageLogProbability: total / (logProbabilities.length + 1),
    degenerate: token !== END || isLooping || compressionRatio(text) > COMPRESSION_MAX,
    isLost,
    tokens,
    logProbabilities,
    audio,
  };
};

const atLeast = (samples: Float32Array, length: number): Float32Array => {
  if (samples.length >= length) return samples;
  const padded = new Float32Array(length);
  padded.set(samples);
  return padded;
};
