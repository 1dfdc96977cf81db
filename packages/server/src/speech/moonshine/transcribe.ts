// Moonshine over a window of English speech, with guards against loops.
import llamaTokenizer from 'llama-tokenizer-js';
import { SAMPLE_RATE_HZ } from '../../platform/sample-rate.ts';
import type { TranscribeOptions, Transcript } from '../acoustic/acoustic-model.ts';
import { chooseGreedy } from '../decoding/choose-token.ts';
import { compressionRatio, findLoop } from '../decoding/repetition.ts';
import type { MoonshineGraphs, MoonshineMemory } from './graphs.ts';

export const BEGIN = 1;
const END = 2;
/** English speech stays below this; beyond it the decoder is looping. */
const TOKENS_PER_SECOND_MAX = 6.5;
const TOKENS_MIN = 8;
/** The encoder fails on less. */
const SAMPLES_MIN = 1600;
const COMPRESSION_MAX = 2.4;
/** A model this unsure on average after so many tokens most likely got another language: see docs/decisions/tiers.md. */
const LOST_TOKENS = 12;
const LOST_LOG_PROBABILITY = -0.9;

export const encodeAudio = (graphs: MoonshineGraphs, samples: Float32Array): Promise<MoonshineMemory> =>
  graphs.encode(atLeast(samples, SAMPLES_MIN));

export const transcribe = async (
  graphs: MoonshineGraphs,
  audio: MoonshineMemory,
  audioSamples: number,
  { checkpoint, stopWhenLost = false }: Pick<TranscribeOptions, 'checkpoint' | 'stopWhenLost'>,
): Promise<Transcript> => {
  const tokensMax = Math.ceil(TOKENS_MIN + (audioSamples / SAMPLE_RATE_HZ) * TOKENS_PER_SECOND_MAX);
  let memory = audio;
  const tokens: number[] = [];
  const logProbabilities: number[] = [];
  let token = BEGIN;
  let total = 0;
  let isLooping = false;
  let isLost = false;
  while (tokens.length <= tokensMax && !isLooping && !isLost) {
    checkpoint();
    const step = await graphs.decode(token, memory);
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
    isLost = stopWhenLost && isUnsure && !isLooping;
  }
  const text = llamaTokenizer.decode(tokens, false, true).trim();
  return {
    text,
    averageLogProbability: total / (logProbabilities.length + 1),
    noSpeechProbability: 0,
    degenerate: token !== END || isLooping || compressionRatio(text) > COMPRESSION_MAX,
    isLost,
    tokens,
    logProbabilities,
  };
};

const atLeast = (samples: Float32Array, length: number): Float32Array => {
  if (samples.length >= length) return samples;
  const padded = new Float32Array(length);
  padded.set(samples);
  return padded;
};
