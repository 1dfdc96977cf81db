// Decodes encoded audio with Whisper, in one attempt: prompt in, tokens with their probabilities out.

import { freeTensors } from '../acoustic/free-tensors.ts';
import { type DecoderState, freeStep } from '../acoustic/token-cache.ts';
import { type Choice, chooseGreedy, chooseSampled, type LogitRow, logProbabilityOf } from '../decoding/choose-token.ts';
import { findLoop } from '../decoding/repetition.ts';
import { TokenDraft } from '../decoding/token-draft.ts';
import type { WhisperGraphs } from './graphs.ts';
import { filterLogits, type TimestampRules } from './logit-filters.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface DecodeOptions {
  /** Tokens before the first word, including the start of transcript. */
  readonly prompt: readonly number[];
  /** Likely tokens: they speed up decoding without changing the result, except by rounding. */
  readonly draft: readonly number[];
  readonly tokensMax: number;
  readonly timestamps: TimestampRules | null;
  readonly temperature: number;
  /** Uniform in 0..1; used only above temperature 0. */
  readonly random: () => number;
  /** Stop, with ending `cap`, when the summed log-probability falls below this. */
  readonly totalMin?: number;
  /** Keep the data that scoring other texts needs. */
  readonly keepsTrail?: boolean;
}

/** The rows from which the tokens and the end were chosen, and the state after all of them. */
export interface Trail {
  readonly rows: readonly LogitRow[];
  readonly state: DecoderState;
  readonly promptLength: number;
}

export interface Decoded {
  /** Includes timestamps, excludes the end of text. */
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
  /** Average over the tokens and the end of text. */
  readonly averageLogProbability: number;
  readonly noSpeechProbability: number;
  /** Why decoding stopped; after `loop` and `cap` the text is incomplete. */
  readonly ending: 'end' | 'loop' | 'cap';
  /** Tokens before the loop, if it ended in one. */
  readonly beforeLoop?: number;
  readonly trail?: Trail;
}

const rowsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

export const decodeTokens = async (
  graphs: WhisperGraphs,
  tokenizer: WhisperTokenizer,
  audio: DecoderState,
  options: DecodeOptions,
  checkpoint: () => void,
): Promise<Decoded> => {
  const { prompt, timestamps, temperature, totalMin = Number.NEGATIVE_INFINITY } = options;
  const tokensMax = Math.min(options.tokensMax, tokenizer.positions - prompt.length - 1);
  const start = prompt.indexOf(tokenizer.startOfTranscript);
  const draft = new TokenDraft(options.draft.slice(0, tokensMax));
  let ahead = draft.first();
  let step = await graphs.decode([...prompt, ...ahead], audio, [
    start,
    ...rowsFrom(prompt.length - 1, ahead.length + 1),
  ]);
  const noSpeechProbability = Math.exp(logProbabilityOf(step.rows[0]!, tokenizer.noSpeech));
  step = { ...step, rows: step.rows.slice(1) };
  let accepted = 0;
  const tokens: number[] = [];
  const logProbabilities: number[] = [];
  const kept: LogitRow[] = [];
  let total = 0;
  let ending: Decoded['ending'] = 'cap';
  let beforeLoop: number | undefined;
  while (tokens.length <= tokensMax) {
    checkpoint();
    const row = step.rows[accepted]!;
    if (options.keepsTrail) kept.push(row);
    filterLogits(row.logits, tokens, tokenizer, timestamps);
    const choice: Choice = temperature === 0 ? chooseGreedy(row) : chooseSampled(row, temperature, options.random());
    total += choice.logProbability;
    if (choice.token === tokenizer.endOfText) {
      ending = 'end';
      break;
    }
    if (tokens.length === tokensMax || total < totalMin) break;
    tokens.push(choice.token);
    logProbabilities.push(choice.logProbability);
    const loop = findLoop(tokens, tokenizer.decode);
    if (loop) {
      tokens.length = loop.keep;
      logProbabilities.length = loop.keep;
      ending = 'loop';
      beforeLoop = loop.before;
      break;
    }
    if (choice.token === ahead[accepted]) {
      accepted += 1;
      draft.accept();
      continue;
    }
    const known = graphs.shorten(step.state, prompt.length + tokens.length - 1);
    const room = tokenizer.positions - prompt.length - tokens.length;
    ahead = draft.after(tokens, accepted === ahead.length).slice(0, room);
    accepted = 0;
    const next = await graphs.decode([choice.token, ...ahead], known, rowsFrom(0, ahead.length + 1));
    if (!options.keepsTrail) freeStep(step);
    if (known !== step.state) freeTensors(Object.values(known.past));
    step = next;
  }
  if (!options.keepsTrail) freeStep(step);
  return {
    tokens,
    logProbabilities,
    averageLogProbability: total / (logProbabilities.length + 1),
    noSpeechProbability,
    ending,
    ...(beforeLoop !== undefined && { beforeLoop }),
    ...(options.keepsTrail && { trail: { rows: kept, state: step.state, promptLength: prompt.length } }),
  };
};
