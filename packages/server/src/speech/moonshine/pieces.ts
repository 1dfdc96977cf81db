// Decodes the text that each Moonshine token adds.
import llamaTokenizer from 'llama-tokenizer-js';
import { textPieces } from '../words/words.ts';

const decode = (tokens: readonly number[]): string => llamaTokenizer.decode([...tokens], false, false);

export const piecesOf = (tokens: readonly number[]): string[] => textPieces(tokens, decode);
