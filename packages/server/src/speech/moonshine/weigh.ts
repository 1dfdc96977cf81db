// How probable a text is to Moonshine, and what other words in some place make of it. Its decoder is small: each text is
// decoded as a whole.
import llamaTokenizer from 'llama-tokenizer-js';
import type { WeighedText } from '../acoustic/acoustic-model.ts';
import type { MoonshineGraphs, MoonshineMemory } from './graphs.ts';
import { BEGIN, END } from './transcribe.ts';

export const weighText = async (
  graphs: MoonshineGraphs,
  audio: MoonshineMemory,
  words: readonly string[],
  checkpoint: () => void,
): Promise<WeighedText> => {
  const logProbability = async (text: readonly string[]): Promise<number> => {
    checkpoint();
    const tokens = [BEGIN, ...llamaTokenizer.encode(text.join(' '), false, true), END];
    const rows = await graphs.decodeAll(tokens.slice(0, -1), audio);
    return rows.reduce((total, { logits, logSum }, at) => total + logits[tokens[at + 1]!]! - logSum, 0);
  };
  const own = await logProbability(words);
  return {
    withReplaced: async (from, to, others) =>
      (await logProbability([...words.slice(0, from), ...others, ...words.slice(to)])) - own,
  };
};
