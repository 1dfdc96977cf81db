// Word times of a Whisper hypothesis, from the cross-attention of its alignment heads.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { alignTokens } from '../words/align.ts';
import { textPieces, untimedWords, wordsOf } from '../words/words.ts';
import type { DecoderState } from './graphs.ts';
import { promptFor, type Whisper } from './transcribe.ts';

/** Duration of one encoder position. */
const FRAME_MS = 20;
/** Attention moves to a word this long before it starts: fitted on words with hand-made times. */
const LEAD_MS = 20;

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
  const { starts, onsets } = alignTokens(rows, tokens.length + 1, Math.ceil(audioMs / FRAME_MS));
  const pieces = textPieces(tokens, tokenizer.decode);
  const msOf = (frame: number): number => Math.min(audioMs, frame * FRAME_MS + LEAD_MS);
  return wordsOf(
    pieces.map((text, i) => ({
      text,
      startMs: msOf(onsets[i]!),
      endMs: msOf(starts[i + 1]!),
      logProbability: hypothesis.logProbabilities[i] ?? 0,
    })),
    hypothesis.terms,
  );
};
