// Detects the language of encoded audio: Whisper predicts it right after the start of the transcript.
import type { LanguageProbabilities } from '../acoustic/acoustic-model.ts';
import { type DecoderState, freeStep } from '../acoustic/token-cache.ts';
import type { WhisperGraphs } from './graphs.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

const languagesFrom = (row: Float32Array, tokenizer: WhisperTokenizer): LanguageProbabilities => {
  const tokens = [...tokenizer.languages].flatMap(([code, token]) => (token === null ? [] : [[code, token] as const]));
  let top = Number.NEGATIVE_INFINITY;
  for (const [, token] of tokens) top = Math.max(top, row[token]!);
  const weights = tokens.map(([code, token]) => [code, Math.exp(row[token]! - top)] as const);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([code, weight]) => [code, weight / total]));
};

export const detectLanguage = async (
  graphs: WhisperGraphs,
  tokenizer: WhisperTokenizer,
  audio: DecoderState,
): Promise<LanguageProbabilities> => {
  const step = await graphs.decode([tokenizer.startOfTranscript], audio);
  const languages = languagesFrom(step.rows[0]!.logits, tokenizer);
  freeStep(step);
  return languages;
};
