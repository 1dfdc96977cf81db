// Word times of a Whisper hypothesis, from the cross-attention of its alignment heads.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { alignTokens } from '../words/align.ts';
import { textPieces, untimedWords, wordsOf } from '../words/words.ts';
import type { DecoderState } from './graphs.ts';
import { promptFor, type Whisper } from './transcribe.ts';

/** Duration of one encoder position. */
const FRAME_MS = 20;

/** The words with their confidence, without times. */
export const whisperWords = ({ tokenizer }: Whisper, hypothesis: Hypothesis): RecognisedWord[] =>
  untimedWords(textPieces(hypothesis.tokens, tokenizer.decode), hypothesis);

export const whisperWordTimes = async (
  whisper: Whisper,
  audio: DecoderState,
  hypothesis: Hypothesis,
  language: string,
  audioMs: number,
): Promise<RecognisedWord[]> => {
  const tokens = hypothesis.tokens;
  if (tokens.length === 0) return [];
  const { graphs, tokenizer } = whisper;
  const prompt = promptFor(whisper, language, []);
  const maps = await graphs.attend([...prompt, ...tokens], audio);
  // A row of attention predicts the next token: token i is in the row before its own.
  const rows = maps.map(({ scores, frames }) => ({ scores: scores.subarray((prompt.length - 1) * frames), frames }));
  const starts = alignTokens(rows, tokens.length + 1, Math.ceil(audioMs / FRAME_MS));
  const pieces = textPieces(tokens, tokenizer.decode);
  return wordsOf(
    pieces.map((text, i) => ({
      text,
      startMs: Math.min(audioMs, starts[i]! * FRAME_MS),
      endMs: Math.min(audioMs, starts[i + 1]! * FRAME_MS),
      logProbability: hypothesis.logProbabilities[i] ?? 0,
    })),
    hypothesis.terms,
  );
};
