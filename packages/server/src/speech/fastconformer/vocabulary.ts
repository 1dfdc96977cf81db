// Reads the vocabulary of a NeMo export: SentencePiece tokens, one `token id` per line.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { textPieces } from '../words/words.ts';

/** Marks the start of a word. */
const WORD_START = '\u2581';
const BLANK = '<blk>';
/** Control tokens: `<unk>`, `<|nospeech|>`. */
const CONTROL = /^<.*>$/;
const BYTE = /^<0x([0-9A-F]{2})>$/i;
const ONLY_PUNCTUATION = /^[\p{P}\p{S}]+$/u;
const FILES = ['vocab.txt', 'tokens.txt'];
const TOKENS_MAX = 200_000;

export interface Vocabulary {
  readonly size: number;
  readonly blank: number;
  /** Control tokens have no text. */
  isControl(token: number): boolean;
  /** The text that each token adds. */
  pieces(tokens: readonly number[]): string[];
  text(tokens: readonly number[]): string;
  /** Tokens of a text that starts a word; none when a character has no token. */
  encode(text: string): number[];
}

export const parseVocabulary = (lines: string): Vocabulary => {
  const tokens: string[] = [];
  for (const line of lines.split('\n')) {
    if (line.trim() === '') continue;
    const space = line.lastIndexOf(' ');
    const id = Number(line.slice(space + 1));
    if (space < 1 || !Number.isInteger(id) || id < 0 || id >= TOKENS_MAX)
      throw new UnknownGraph(`"${line.slice(0, 40)}" is not a vocabulary line`);
    tokens[id] = line.slice(0, space);
  }
  const blank = tokens.lastIndexOf(BLANK);
  if (blank !== tokens.length - 1) throw new UnknownGraph(`the last token of the vocabulary is not ${BLANK}`);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const isControl = (id: number): boolean => CONTROL.test(tokens[id] ?? '') && !BYTE.test(tokens[id] ?? '');
  const bytesOf = (id: number): Buffer => {
    const token = tokens[id] ?? '';
    const byte = BYTE.exec(token)?.[1];
    if (byte !== undefined) return Buffer.from(byte, 'hex');
    return Buffer.from(isControl(id) ? '' : token.replaceAll(WORD_START, ' '));
  };
  const decode = (some: readonly number[]): string => Buffer.concat(some.map(bytesOf)).toString('utf8');
  const pieces = (some: readonly number[]): string[] => withoutSpaceBeforePunctuation(textPieces(some, decode));
  return {
    size: tokens.length,
    blank,
    isControl,
    pieces,
    text: (some) => pieces(some).join('').trim(),
    encode: (text) => encodePairs(`${WORD_START}${text.trim().replace(/\s+/gu, WORD_START)}`, ids),
  };
};

/** Some vocabularies write a comma as a separate word. */
const withoutSpaceBeforePunctuation = (pieces: string[]): string[] => {
  for (let at = 0; at < pieces.length; at++) {
    if (pieces[at] === ' ' && ONLY_PUNCTUATION.test(pieces[at + 1] ?? '')) pieces[at] = '';
    const bare = pieces[at]!.trim();
    if (bare !== '' && /^\s/.test(pieces[at]!) && /^[.,!?;:%]+$/.test(bare)) pieces[at] = bare;
  }
  return pieces;
};

/** Byte-pair encoding: the vocabulary is in the order in which pairs were merged. */
const encodePairs = (text: string, ids: ReadonlyMap<string, number>): number[] => {
  const parts = [...text];
  for (;;) {
    let best = -1;
    let rank = Number.POSITIVE_INFINITY;
    for (let at = 0; at + 1 < parts.length; at++) {
      const id = ids.get(parts[at]! + parts[at + 1]!);
      if (id !== undefined && id < rank) {
        best = at;
        rank = id;
      }
    }
    if (best === -1) break;
    parts.splice(best, 2, parts[best]! + parts[best + 1]!);
  }
  const tokens = parts.flatMap((part) => ids.get(part) ?? []);
  return tokens.length === parts.length ? tokens : [];
};

export const readVocabulary = async (folder: string): Promise<Vocabulary> => {
  const present = new Set(await readdir(folder));
  const file = FILES.find((name) => present.has(name));
  if (file === undefined) throw new UnknownGraph(`there is no ${FILES.join(' or ')}`);
  return parseVocabulary(await readFile(join(folder, file), 'utf8'));
};
