// Greedy decoding of a transducer: TDT, which predicts how many frames to skip, or RNN-T, which does not.
import { argMax, type LogitRow, logProbabilityOf, logSumExp } from '../decoding/choose-token.ts';
import { findLoop } from '../decoding/repetition.ts';
import { type EncodedFrames, rowOf } from './windows.ts';

/** The state of the prediction network is opaque here. */
interface JointStep<State> {
  /** Logits of the tokens and blank, then of the durations 0, 1, 2 …, if the model predicts them. */
  readonly logits: Float32Array;
  /** The state after the token; valid only if the token is emitted. */
  readonly state: State;
}

export interface Joint<State> {
  readonly start: State;
  step(frame: Float32Array, lastToken: number, state: State): Promise<JointStep<State>>;
}

/** A token with its place in the audio. */
export interface Emission {
  readonly token: number;
  readonly frame: number;
  /** Frames until the next token can follow; 0 with RNN-T. */
  readonly duration: number;
  readonly logProbability: number;
}

interface TransducerOptions {
  /** Number of tokens including blank, which is the last one. */
  readonly vocabularySize: number;
  readonly tokensPerFrameMax: number;
  readonly tokensMax: number;
  /** Keep the trail that scoring terms needs. */
  readonly keepsTrail: boolean;
  /** Identifies digits, which may repeat more often than words. */
  readonly textOf?: (tokens: readonly number[]) => string;
  readonly checkpoint: () => void;
}

/** A point from which decoding can continue with other tokens. */
interface TrailPoint<State> {
  readonly row: LogitRow;
  readonly frame: number;
  readonly advance: number;
  readonly state: State;
}

export interface Decoded<State> {
  readonly emissions: readonly Emission[];
  /** One point per emission, and one for the end; empty unless requested. */
  readonly trail: readonly TrailPoint<State>[];
  /** Decoding stopped because it repeated itself or exceeded `tokensMax`. */
  readonly isLooping: boolean;
}

const STEPS_PER_CHECKPOINT = 8;

interface Choice {
  readonly token: number;
  /** Frames to skip; 0 stays. */
  readonly duration: number;
}

const choose = (logits: Float32Array, vocabularySize: number): Choice => ({
  token: argMax(logits, 0, vocabularySize),
  duration: logits.length > vocabularySize ? argMax(logits, vocabularySize) - vocabularySize : 0,
});

const rowOfTokens = (logits: Float32Array, vocabularySize: number): LogitRow => ({
  logits: logits.subarray(0, vocabularySize),
  logSum: logSumExp(logits, 0, vocabularySize),
});

export const decodeTransducer = async <State>(
  joint: Joint<State>,
  encoded: EncodedFrames,
  { vocabularySize, tokensPerFrameMax, tokensMax, keepsTrail, textOf, checkpoint }: TransducerOptions,
): Promise<Decoded<State>> => {
  const blank = vocabularySize - 1;
  const emissions: Emission[] = [];
  const trail: TrailPoint<State>[] = [];
  const tokens: number[] = [];
  let { start: state } = joint;
  let lastToken = blank;
  let inFrame = 0;
  let isLooping = false;
  for (let frame = 0, steps = 0; frame < encoded.frames && !isLooping; steps++) {
    if (steps % STEPS_PER_CHECKPOINT === 0) checkpoint();
    const step = await joint.step(rowOf(encoded, frame), lastToken, state);
    const { token, duration } = choose(step.logits, vocabularySize);
    const isLast = frame + Math.max(1, duration) >= encoded.frames;
    if (keepsTrail && (token !== blank || isLast)) {
      const row = rowOfTokens(step.logits, vocabularySize);
      trail[emissions.length] = { row, frame, advance: duration, state: step.state };
    }
    if (token !== blank) {
      const logProbability = logProbabilityOf(rowOfTokens(step.logits, vocabularySize), token);
      emissions.push({ token, frame, duration, logProbability });
      tokens.push(token);
      state = step.state;
      lastToken = token;
      inFrame += 1;
      isLooping = findLoop(tokens, textOf) !== null || tokens.length > tokensMax;
    }
    if (duration === 0 && token !== blank && inFrame < tokensPerFrameMax) continue;
    frame += Math.max(1, duration);
    inFrame = 0;
  }
  return { emissions, trail, isLooping };
};

/** A term is spoken within this many frames from the start of the tokens it replaces. */
const FORCED_FRAMES_MAX = 25;

/** The logits after each of `others`, which follow the first `count` decoded tokens. */
export const forceTokens = async <State>(
  joint: Joint<State>,
  encoded: EncodedFrames,
  { trail }: Pick<Decoded<State>, 'trail'>,
  { size, isControl }: { readonly size: number; isControl(token: number): boolean },
  count: number,
  others: readonly number[],
): Promise<LogitRow[]> => {
  const from = trail[count];
  if (!from) return [];
  const last = Math.min(encoded.frames - 1, from.frame + FORCED_FRAMES_MAX);
  const rows: LogitRow[] = [];
  let { state } = from;
  let frame = Math.min(last, from.frame + from.advance);
  for (const other of others) {
    let lastToken = other;
    // As in greedy decoding, skip frames until the model would emit a token.
    for (;;) {
      const step = await joint.step(rowOf(encoded, frame), lastToken, state);
      const { token, duration } = choose(step.logits, size);
      if (!isControl(token) || frame === last) {
        rows.push(rowOfTokens(step.logits, size));
        state = step.state;
        frame = Math.min(last, frame + duration);
        break;
      }
      // Other control tokens advance the state; blank does not.
      if (token !== size - 1) [lastToken, state] = [token, step.state];
      frame = Math.min(last, frame + Math.max(1, duration));
    }
  }
  return rows;
};
