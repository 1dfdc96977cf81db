// Word times of a Moonshine hypothesis, from its cross-attention.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { alignTokens } from '../words/align.ts';
import { untimedWords, wordsOf } from '../words/words.ts';
import type { MoonshineGraphs, MoonshineState } from './graphs.ts';
import { piecesOf } from './pieces.ts';
import { BEGIN, type MoonshineHypothesis } from './transcribe.ts';

/** The words with their confidence, without times. */
export const moonshineWords = (hypothesis: Hypothesis): RecognisedWord[] =>
  untimedWords(piecesOf(hypothesis.tokens), hypothesis);

export const moonshineWordTimes = async (
  graphs: MoonshineGraphs,
  audio: MoonshineState,
  hypothesis: MoonshineHypothesis,
  audioMs: number,
): Promise<RecognisedWord[]> => {
  const { tokens, logProbabilities, terms } = hypothesis;
  if (tokens.length === 0) return [];
  const maps = hypothesis.attention ?? (await graphs.attend([BEGIN, ...tokens], audio));
  const { starts, onsets } = alignTokens(maps, tokens.length + 1, Math.ceil(audioMs / graphs.frameMs));
  const pieces = piecesOf(tokens);
  const msOf = (frame: number): number => Math.min(audioMs, frame * graphs.frameMs + graphs.leadMs);
  return wordsOf(
    pieces.map((text, i) => ({
      text,
      startMs: msOf(onsets[i]!),
      endMs: msOf(starts[i + 1]!),
      logProbability: logProbabilities[i] ?? 0,
    })),
    terms,
  );
};
