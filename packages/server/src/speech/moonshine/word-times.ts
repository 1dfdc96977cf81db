// Word times of a Moonshine hypothesis, from its cross-attention.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { alignTokens } from '../words/align.ts';
import { untimedWords, wordsOf } from '../words/words.ts';
import type { MoonshineGraphs, MoonshineState } from './graphs.ts';
import { piecesOf } from './pieces.ts';
import { BEGIN, type MoonshineHypothesis } from './transcribe.ts';

/** Duration of one encoder position: 384 samples. */
const FRAME_MS = 24;
/** Attention moves to a word this long before it starts: 77 ms in tiny, 30 ms in base, measured on synthetic speech. */
const LEAD_MS = 36;

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
  const starts = alignTokens(maps, tokens.length + 1, Math.ceil(audioMs / FRAME_MS));
  const pieces = piecesOf(tokens);
  return wordsOf(
    pieces.map((text, i) => ({
      text,
      startMs: Math.min(audioMs, starts[i]! * FRAME_MS + LEAD_MS),
      endMs: Math.min(audioMs, starts[i + 1]! * FRAME_MS + LEAD_MS),
      logProbability: logProbabilities[i] ?? 0,
    })),
    terms,
  );
};
