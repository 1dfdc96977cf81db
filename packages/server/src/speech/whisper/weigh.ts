// How probable a text is to a Whisper, and what other words in some place make of it. The text is decoded once; for each
// change only the new words are, and a few after them.
import type { WeighedText, WeighOptions } from '../acoustic/acoustic-model.ts';
import type { LogitRow } from '../decoding/choose-token.ts';
import type { DecoderMemory } from './graphs.ts';
import { previousTokens, promptFor, type Whisper } from './transcribe.ts';

/** Tokens after a change that may still feel it. */
const TOKENS_AFTER = 8;

const rowsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

export const weighText = async (
  whisper: Whisper,
  audio: DecoderMemory,
  words: readonly string[],
  options: WeighOptions,
): Promise<WeighedText> => {
  const { graphs, tokenizer } = whisper;
  const { terms, preceding } = previousTokens(tokenizer, options);
  const prompt = promptFor(whisper, options.language, [...terms, ...preceding]);
  const encode = (part: readonly string[]) => (part.length === 0 ? [] : tokenizer.encode(` ${part.join(' ')}`));
  const tokens = [...encode(words), tokenizer.endOfText];
  const logProbability = (row: LogitRow, token: number) => row.logits[token]! - row.logSum;
  // The last token is only looked for, so it is not fed.
  const whole = await graphs.decode(
    [...prompt, ...tokens.slice(0, -1)],
    audio,
    rowsFrom(prompt.length - 1, tokens.length),
  );
  const own = tokens.map((token, at) => logProbability(whole.rows[at]!, token));
  const sum = (from: number, to: number) => own.slice(from, to).reduce((total, value) => total + value, 0);
  return {
    async withReplaced(from, to, others) {
      options.checkpoint();
      const [start, end] = [encode(words.slice(0, from)).length, encode(words.slice(0, to)).length];
      const after = tokens.slice(end, end + TOKENS_AFTER);
      const tried = [...encode(others), ...after];
      const known = graphs.shorten(whole.memory, prompt.length + start);
      const fed = tried.slice(0, -1);
      const rows = fed.length === 0 ? [] : (await graphs.decode(fed, known, rowsFrom(0, fed.length))).rows;
      const all = [whole.rows[start]!, ...rows];
      const total = tried.reduce((added, token, at) => added + logProbability(all[at]!, token), 0);
      return total - sum(start, end + after.length);
    },
  };
};
