// Word times of a Whisper hypothesis, from the cross-attention of its alignment heads.
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import type { DecoderState } from '../acoustic/token-cache.ts';
import type { RecognisedWord } from '../recogniser.ts';
import { attendedWords, textPieces, untimedWords } from '../words/words.ts';
import { promptFor, type Whisper } from './transcribe.ts';

/** The duration of one encoder position, and the lead, which is fitted on words with manually annotated times. */
const TIMING = { frameMs: 20, leadMs: 20 } as const;

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
  const { tokens } = hypothesis;
  if (tokens.length === 0) return [];
  const { graphs, tokenizer } = whisper;
  const prompt = promptFor(whisper, language, []);
  const maps = await graphs.attend([...prompt, ...tokens], audio);
  // A row of attention predicts the next token: token i is in the row before its own.
  const rows = maps.map(({ scores, frames }) => ({ scores: scores.subarray((prompt.length - 1) * frames), frames }));
  return attendedWords(textPieces(tokens, tokenizer.decode), hypothesis, rows, TIMING, audioMs);
};
