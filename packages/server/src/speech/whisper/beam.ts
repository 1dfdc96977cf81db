// Beam search with Whisper's decoder: the most probable texts instead of the most probable token at each step. The beams
// share one memory, a tree of tokens in which each sees its own text.
import type { LogitRow } from '../decoding/choose-token.ts';
import { topTokens } from '../decoding/choose-token.ts';
import { findLoop } from '../decoding/repetition.ts';
import type { Decoded } from './decode.ts';
import type { DecoderMemory, WhisperGraphs } from './graphs.ts';
import { filterLogits } from './logit-filters.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface BeamOptions {
  /** Tokens before the first word, start of transcript included. */
  readonly prompt: readonly number[];
  readonly tokensMax: number;
  /** Beams at most, and texts that are waited for. */
  readonly width: number;
}

/** A beam this much less probable than the best one (natural logarithm) is given up. */
const LAG_MAX = 4;
/** The memory is cleared of dead beams when this share of it, and more than a few places, belongs to them. */
const DEAD_SHARE_MAX = 0.5;
const DEAD_PLACES_MIN = 24;

interface Beam {
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
  readonly total: number;
  /** Where in the memory its prompt and tokens are; those of the last token are known once it was decoded. */
  readonly places: readonly number[];
}

interface Candidate {
  readonly beam: Beam;
  readonly token: number;
  readonly logProbability: number;
  readonly total: number;
}

const extended = ({ beam, token, logProbability, total }: Candidate): Beam => ({
  tokens: [...beam.tokens, token],
  logProbabilities: [...beam.logProbabilities, logProbability],
  total,
  places: beam.places,
});

/** The texts that were found, the best one first: by their average log-probability, so that short ones have no advantage. */
export const decodeBeams = async (
  graphs: WhisperGraphs,
  tokenizer: WhisperTokenizer,
  audio: DecoderMemory,
  options: BeamOptions,
  checkpoint: () => void,
): Promise<readonly Decoded[]> => {
  const { prompt, width } = options;
  const tokensMax = Math.min(options.tokensMax, tokenizer.positions - prompt.length - 1);
  const start = prompt.indexOf(tokenizer.startOfTranscript);
  const first = await graphs.decode(prompt, audio, [start, prompt.length - 1]);
  const [startRow, promptRow] = first.rows;
  const noSpeechProbability = Math.exp(startRow!.logits[tokenizer.noSpeech]! - startRow!.logSum);
  const finish = ({ tokens, logProbabilities, total }: Beam, ending: Decoded['ending']): Decoded => ({
    tokens,
    logProbabilities,
    averageLogProbability: total / (logProbabilities.length + 1),
    noSpeechProbability,
    ending,
  });
  const candidatesOf = (beam: Beam, row: LogitRow): Candidate[] => {
    filterLogits(row.logits, beam.tokens, tokenizer, null);
    return topTokens(row, width + 1).map(({ token, logProbability }) => {
      return { beam, token, logProbability, total: beam.total + logProbability };
    });
  };
  const whole: Beam = { tokens: [], logProbabilities: [], total: 0, places: prompt.map((_, place) => place) };
  const finished: Decoded[] = [];
  let { memory } = first;
  let candidates = candidatesOf(whole, promptRow!);
  let stuck: Decoded | null = null;
  for (;;) {
    checkpoint();
    const live: Beam[] = [];
    const ranked = candidates.sort((a, b) => b.total - a.total);
    const least = ranked[0]!.total - LAG_MAX;
    for (const candidate of ranked) {
      if (candidate.total < least || live.length === width) break;
      if (candidate.token === tokenizer.endOfText) {
        // The end counts among the tokens, and has no place in the text.
        finished.push(finish({ ...candidate.beam, total: candidate.total }, 'end'));
        continue;
      }
      const beam = extended(candidate);
      const loop = findLoop(beam.tokens);
      if (!loop) live.push(beam);
      else stuck ??= finish(upTo(beam, loop.keep), 'loop');
    }
    const best = live[0];
    if (!best || finished.length >= width) break;
    if (best.tokens.length > tokensMax) {
      stuck ??= finish(upTo(best, tokensMax), 'cap');
      break;
    }
    let beams: readonly Beam[] = live;
    ({ memory, beams } = clearDead(graphs, memory, beams));
    const position = prompt.length + best.tokens.length - 1;
    const branches = beams.map(({ tokens, places }) => ({ token: tokens.at(-1)!, position, places }));
    const before = memory.tokens;
    const step = await graphs.decodeBranches(branches, memory);
    memory = step.memory;
    candidates = beams.flatMap((beam, nth) =>
      candidatesOf({ ...beam, places: [...beam.places, before + nth] }, step.rows[nth]!),
    );
  }
  finished.sort((a, b) => b.averageLogProbability - a.averageLogProbability);
  return finished.length > 0 ? finished.slice(0, width) : [stuck ?? finish(whole, 'cap')];
};

const upTo = ({ tokens, logProbabilities, ...beam }: Beam, length: number): Beam => ({
  ...beam,
  tokens: tokens.slice(0, length),
  logProbabilities: logProbabilities.slice(0, length),
});

/** Places of beams that were given up cost time at every step. */
const clearDead = (
  graphs: WhisperGraphs,
  memory: DecoderMemory,
  beams: readonly Beam[],
): { memory: DecoderMemory; beams: readonly Beam[] } => {
  const alive = [...new Set(beams.flatMap(({ places }) => places))].sort((a, b) => a - b);
  const dead = memory.tokens - alive.length;
  if (dead < DEAD_PLACES_MIN || dead < DEAD_SHARE_MAX * alive.length) return { memory, beams };
  const moved = new Map(alive.map((place, index) => [place, index]));
  return {
    memory: graphs.keep(memory, alive),
    beams: beams.map((beam) => ({ ...beam, places: beam.places.map((place) => moved.get(place)!) })),
  };
};
