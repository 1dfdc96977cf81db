// Decodes with timestamps, for windows in which plain decoding gets stuck: keeps the text up to the last timestamp,
// then encodes and decodes the audio after it.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { DecoderState } from '../acoustic/token-cache.ts';
import { HOP_SAMPLES } from '../features/log-mel.ts';
import { type Decoded, type DecodeOptions, decodeTokens } from './decode.ts';
import type { WhisperGraphs } from './graphs.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

/** A timestamp step is two frames. */
const SAMPLES_PER_STEP = 2 * HOP_SAMPLES;
const STEPS_PER_SECOND = SAMPLE_RATE_HZ / SAMPLES_PER_STEP;
/** The first word starts within the first second: earlier silence was cut off. */
const FIRST_STEP_MAX = STEPS_PER_SECOND;
/** Less audio after the last timestamp is mostly silence. */
const REST_SAMPLES_MIN = 24_000;
/** A seek with less progress is stuck. */
const PROGRESS_SAMPLES_MIN = 8_000;
const SEEKS_MAX = 8;

interface SeekOptions extends Omit<DecodeOptions, 'timestamps' | 'draft' | 'tokensMax'> {
  readonly samples: Float32Array;
  /** Encodes the audio after a seek. */
  readonly encode: (samples: Float32Array) => Promise<DecoderState>;
  readonly tokensMaxFor: (samples: number) => number;
  /** Limit for all seeks together, including tokens that are not kept. */
  readonly tokensInAllMax: number;
}

/** The tokens to keep, and how many samples they cover. */
interface Seek {
  readonly kept: number;
  readonly reachedSamples: number;
}

/** Words after the last timestamp are kept only when decoding ended; they extend to the end of the audio. */
const seekOf = ({ tokens, ending }: Decoded, { firstTimestamp }: WhisperTokenizer, samples: number): Seek => {
  const last = tokens.findLastIndex((token) => token >= firstTimestamp);
  const isClosed = last === tokens.length - 1;
  if (ending === 'end' && !isClosed) return { kept: tokens.length, reachedSamples: samples };
  if (last <= 0) return { kept: 0, reachedSamples: 0 };
  return { kept: last, reachedSamples: Math.min((tokens[last]! - firstTimestamp) * SAMPLES_PER_STEP, samples) };
};

/** The words of all seeks, without timestamps. The ending is `end` when the words reach the end of the audio. */
export const decodeWithTimestamps = async (
  graphs: WhisperGraphs,
  tokenizer: WhisperTokenizer,
  audio: DecoderState,
  options: SeekOptions,
  checkpoint: () => void,
): Promise<Decoded> => {
  const tokens: number[] = [];
  const logProbabilities: number[] = [];
  const prompt = options.prompt.filter((token) => token !== tokenizer.noTimestamps);
  // Word times need all tokens in one run, so they must fit Whisper's positions.
  const tokensMax = tokenizer.positions - options.prompt.length - 1;
  let first: Decoded | undefined;
  let ending: Decoded['ending'] = 'cap';
  let rest = options.samples;
  let tokensLeft = options.tokensInAllMax;
  let state = audio;
  for (let seek = 0; seek < SEEKS_MAX; seek++) {
    const decoded = await decodeTokens(
      graphs,
      tokenizer,
      state,
      {
        ...options,
        prompt,
        draft: [],
        tokensMax: Math.min(options.tokensMaxFor(rest.length), tokensLeft),
        timestamps: { firstMax: FIRST_STEP_MAX, last: Math.ceil(rest.length / SAMPLES_PER_STEP) },
      },
      checkpoint,
    );
    first ??= decoded;
    tokensLeft -= decoded.tokens.length;
    const { kept, reachedSamples } = seekOf(decoded, tokenizer, rest.length);
    for (let i = 0; i < kept; i++) {
      if (decoded.tokens[i]! >= tokenizer.firstTimestamp) continue;
      tokens.push(decoded.tokens[i]!);
      logProbabilities.push(decoded.logProbabilities[i]!);
    }
    const isFull = tokens.length > tokensMax;
    const isDone = !isFull && kept > 0 && rest.length - reachedSamples < REST_SAMPLES_MIN;
    ending = isDone ? 'end' : decoded.ending === 'loop' ? 'loop' : 'cap';
    if (isDone || isFull || reachedSamples < PROGRESS_SAMPLES_MIN || tokensLeft <= 0) break;
    rest = rest.subarray(reachedSamples);
    state = await options.encode(rest);
  }
  tokens.length = Math.min(tokens.length, tokensMax);
  logProbabilities.length = tokens.length;
  const total = logProbabilities.reduce((sum, value) => sum + value, 0);
  return {
    ...first!,
    tokens,
    logProbabilities,
    averageLogProbability: tokens.length === 0 ? first!.averageLogProbability : total / tokens.length,
    ending,
  };
};
