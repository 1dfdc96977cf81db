// Word times of a Moonshine hypothesis, from its cross-attention.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { DecoderState } from '../acoustic/token-cache.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { attendedWords, untimedWords } from '../words/words.ts';
import type { MoonshineGraphs } from './graphs.ts';
import { piecesOf } from './pieces.ts';
import { BEGIN, type MoonshineHypothesis } from './transcribe.ts';

/** The words with their confidence, without times. */
export const moonshineWords = (hypothesis: Hypothesis): RecognisedWord[] =>
  untimedWords(piecesOf(hypothesis.tokens), hypothesis);

export const moonshineWordTimes = async (
  graphs: MoonshineGraphs,
  audio: DecoderState,
  hypothesis: MoonshineHypothesis,
  audioMs: number,
): Promise<RecognisedWord[]> => {
  const { tokens } = hypothesis;
  if (tokens.length === 0) return [];
  const maps = hypothesis.attention ?? (await graphs.attend([BEGIN, ...tokens], audio));
  return attendedWords(piecesOf(tokens), hypothesis, maps, graphs, audioMs);
};
