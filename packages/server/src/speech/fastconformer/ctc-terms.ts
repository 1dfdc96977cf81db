// Scores alternatives to CTC's greedy result by the best path through the same frames.
import type { LogitRow } from '../decoding/choose-token.ts';
import type { Branch } from '../terms/apply-terms.ts';
import type { Emission } from './transducer.ts';
import { type EncodedFrames, rowOf } from './windows.ts';

type Heard = Pick<Emission, 'token' | 'frame' | 'duration'>;

const endOf = ({ frame, duration }: Heard): number => frame + Math.max(1, duration);

/** Scores alternatives to the emissions. Encoded rows are log-probabilities of the tokens; blank is the last token. */
export const ctcScores = (encoded: EncodedFrames, emissions: readonly Heard[]) => {
  const blank = encoded.width - 1;
  /** The first frame after the tokens before `at`; past the end position, the number of frames. */
  const startOf = (at: number): number => {
    if (at > emissions.length) return encoded.frames;
    return at === 0 ? 0 : endOf(emissions[at - 1]!);
  };
  /** Upper bounds: no other token can score higher than in its best frame. */
  const rowFor = (at: number): LogitRow => {
    const logits = new Float32Array(encoded.width).fill(Number.NEGATIVE_INFINITY);
    const [start, end] = [startOf(at), startOf(at + 1)];
    const reach = emissions[at + 1]?.frame ?? encoded.frames;
    let heard = 0;
    for (let frame = start; frame < Math.max(end, reach); frame++) {
      const row = rowOf(encoded, frame);
      let best = Number.NEGATIVE_INFINITY;
      for (let token = 0; token < row.length; token++) {
        const value = row[token]!;
        if (value > best) best = value;
        if (value > logits[token]!) logits[token] = value;
      }
      if (frame < end) heard += best;
    }
    logits[emissions[at]?.token ?? blank] = heard;
    return { logits, logSum: 0 };
  };
  const scoreOf = ({ count, until, tokens }: Branch): number => {
    const end = startOf(until);
    const next = emissions[until];
    return bestPath(
      encoded,
      tokens.filter((token) => token !== blank),
      {
        start: startOf(count),
        end,
        before: emissions[count - 1]?.token ?? blank,
        after: next && next.frame === end ? next.token : blank,
      },
    );
  };
  return {
    rows: Array.from({ length: emissions.length + 1 }, (_, at) => rowFor(at)),
    score: async (branches: readonly Branch[]): Promise<readonly number[]> => branches.map(scoreOf),
  };
};

interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Tokens of the adjacent frames; CTC would merge a repetition with them. */
  readonly before: number;
  readonly after: number;
}

/** Log-probability of the best path that writes the tokens in the frames. */
export const bestPath = (
  encoded: EncodedFrames,
  tokens: readonly number[],
  { start, end, before, after }: Stretch,
): number => {
  const blank = encoded.width - 1;
  const never = Number.NEGATIVE_INFINITY;
  /** Blank, token, blank, token, …, blank. */
  const labels = [blank, ...tokens.flatMap((token) => [token, blank])];
  let scores = labels.map((label, at) => (at === 0 || (at === 1 && label !== before) ? 0 : never));
  for (let frame = start; frame < end; frame++) {
    const row = rowOf(encoded, frame);
    const last = scores;
    scores = labels.map((label, at) => {
      // The first frame starts a path; after it, a path stays at its label, moves to the next one, or skips a blank.
      const stay = last[at]!;
      if (frame === start) return stay + row[label]!;
      const mayLeap = label !== blank && label !== labels[at - 2];
      return Math.max(stay, last[at - 1] ?? never, mayLeap ? (last[at - 2] ?? never) : never) + row[label]!;
    });
  }
  const whole = scores.at(-1)!;
  return tokens.length > 0 && tokens.at(-1) !== after ? Math.max(whole, scores.at(-2)!) : whole;
};
