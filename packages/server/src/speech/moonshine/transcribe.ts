// Transcribes a window of English speech with Moonshine, and detects loops.
import llamaTokenizer from 'llama-tokenizer-js';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { Hypothesis, TranscribeOptions } from '../acoustic/acoustic-model.ts';
import { freeTensors } from '../acoustic/free-tensors.ts';
import { type DecoderState, freeStep } from '../acoustic/token-cache.ts';
import { chooseGreedy, type LogitRow, logProbabilityOf } from '../decoding/choose-token.ts';
import { findLoop, isRepetitive } from '../decoding/repetition.ts';
import { TokenDraft } from '../decoding/token-draft.ts';
import { padded } from '../features/condition.ts';
import { applyTerms, scoreByRows } from '../terms/apply-terms.ts';
import { type AttentionMap, SeenAttention } from '../words/align.ts';
import type { MoonshineGraphs } from './graphs.ts';
import { piecesOf } from './pieces.ts';

export const BEGIN = 1;
export const END = 2;
/** English speech stays below this rate; above it, the decoder is looping. */
const TOKENS_PER_SECOND_MAX = 6.5;
const TOKENS_MIN = 8;
/** Minimum input of the encoder. */
const SAMPLES_MIN = 1600;
/** Text this improbable after this many tokens is most likely another language: see docs/decisions/tiers.md. */
const UNLIKELY_TOKENS = 12;
const UNLIKELY_LOG_PROBABILITY = -0.9;

export const encodeAudio = (graphs: MoonshineGraphs, samples: Float32Array): Promise<DecoderState> =>
  graphs.encode(padded(samples, SAMPLES_MIN));

/** A hypothesis with its cross-attention, if requested and complete. */
export interface MoonshineHypothesis extends Hypothesis {
  readonly attention?: readonly AttentionMap[] | undefined;
}

type Options = Pick<
  TranscribeOptions,
  'checkpoint' | 'stopWhenUnlikely' | 'committedText' | 'draft' | 'wantWordTimes' | 'terms'
>;

const tokensOf = (text = ''): number[] => (text === '' ? [] : llamaTokenizer.encode(text, false, true));

export const transcribe = async (
  graphs: MoonshineGraphs,
  audio: DecoderState,
  audioSamples: number,
  { checkpoint, stopWhenUnlikely = false, committedText, draft: draftText, wantWordTimes = false, terms }: Options,
): Promise<MoonshineHypothesis> => {
  const tokensMax = Math.ceil(TOKENS_MIN + (audioSamples / SAMPLE_RATE_HZ) * TOKENS_PER_SECOND_MAX);
  const committed = tokensOf(committedText).slice(0, tokensMax);
  const draft = new TokenDraft(tokensOf(draftText).slice(0, tokensMax - committed.length));
  const tokens: number[] = [];
  const logProbabilities: number[] = [];
  const seen = new SeenAttention();
  /** Kept only for scoring terms. */
  const rows: LogitRow[] = [];
  let ahead: readonly number[] = [...committed, ...draft.first()];
  let step = await graphs.decode([BEGIN, ...ahead], audio, wantWordTimes);
  let accepted = 0;
  let token = BEGIN;
  let total = 0;
  let isLooping = false;
  let stoppedEarly = false;
  while (tokens.length <= tokensMax && !isLooping && !stoppedEarly) {
    checkpoint();
    if (token !== BEGIN && token === ahead[accepted]) {
      accepted += 1;
      if (tokens.length > committed.length) draft.accept();
    } else if (token !== BEGIN) {
      seen.add(step.attention, accepted + 1);
      const known = graphs.shorten(step.state, tokens.length);
      ahead = draft.after(tokens, accepted === ahead.length).slice(0, tokensMax - tokens.length + 1);
      accepted = 0;
      const next = await graphs.decode([token, ...ahead], known, wantWordTimes);
      if (!terms) freeStep(step);
      if (known !== step.state) freeTensors(Object.values(known.past));
      step = next;
    }
    const row = step.rows[accepted]!;
    if (terms) rows.push(row);
    const next = committed[tokens.length];
    const choice =
      next === undefined ? chooseGreedy(row) : { token: next, logProbability: logProbabilityOf(row, next) };
    total += choice.logProbability;
    token = choice.token;
    if (token === END) break;
    tokens.push(token);
    logProbabilities.push(choice.logProbability);
    const loop = findLoop(tokens, textOf);
    if (loop) {
      tokens.length = loop.keep;
      logProbabilities.length = loop.keep;
      isLooping = true;
    }
    const isUnsure = tokens.length >= UNLIKELY_TOKENS && total < UNLIKELY_LOG_PROBABILITY * tokens.length;
    stoppedEarly = stopWhenUnlikely && isUnsure && !isLooping;
  }
  seen.add(step.attention, accepted + 1);
  if (!terms) freeStep(step);
  const text = textOf(tokens);
  const hypothesis = {
    text,
    averageLogProbability: total / (logProbabilities.length + 1),
    noSpeechProbability: 0,
    degenerate: token !== END || isLooping || isRepetitive(text),
    stoppedEarly,
    tokens,
    logProbabilities,
    ...(wantWordTimes && token === END && { attention: seen.maps() }),
  };
  if (!terms || token !== END || hypothesis.degenerate) return hypothesis;
  const { state } = step;
  const forced = {
    model: 'moonshine',
    encode: tokensOf,
    pieces: piecesOf,
    endToken: END,
    rows,
    score: scoreByRows(rows, async (branches) => {
      const after: (readonly LogitRow[])[] = [];
      for (const { count, tokens: others } of branches) {
        checkpoint();
        after.push((await graphs.decode(others, graphs.shorten(state, count + 1), false)).rows);
      }
      return after;
    }),
  };
  const applied = await applyTerms(hypothesis, terms, forced, { firstToken: committed.length, checkpoint });
  // Drop the attention: it belongs to the replaced words.
  return applied.terms ? { ...applied, text: textOf(applied.tokens), attention: undefined } : hypothesis;
};

const textOf = (tokens: readonly number[]): string => llamaTokenizer.decode([...tokens], false, true).trim();
