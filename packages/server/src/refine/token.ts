// Splits text into tokens: words with their punctuation, their time and their span in the raw text.
import { SENTENCE_ENDS } from '@faircopy/transcript';
import type { SpokenPiece } from './refiner.ts';

export interface Token {
  /** White space before the word. */
  readonly gap: string;
  /** Opening marks: quotes, brackets. */
  readonly lead: string;
  readonly core: string;
  /** Closing marks: commas, full stops, quotes, a cut-off dash. */
  readonly trail: string;
  /** The core for comparison: lower case, straight apostrophes. */
  readonly key: string;
  /** Span of lead + core + trail in the raw text. */
  readonly rawStart: number;
  readonly rawEnd: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Index of the recognised window it comes from. */
  readonly piece: number;
  /** Confidence of that window, 0 to 1. */
  readonly confidence: number;
  readonly language: string | null;
  /** The tagger's probability, 0 to 1, that the word is disfluent; absent if the tagger did not rate it. */
  readonly disfluency?: number;
}

const CHUNK = /\S+/gu;
const LEAD = /^["'“‘„«‹([{¿¡*♪♫]+/u;
const CLOSING = new Set(`"'’”»›)]},;:*♪♫、，；：-–—،؛${SENTENCE_ENDS}`);
/** A longer run of marks is not punctuation and stays part of the word. */
const MARKS_MAX = 16;
const DOTTED = /^(?:\p{L}\.)+\p{L}$/u;
const ADDRESS_LIKE = /^(?:https?:|mailto:|<)/iu;

/** A fast path for the common case: ASCII letters and digits. */
const isPlainCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
const APOSTROPHES = /[’ʼ‘`´]/u;

export const keyOf = (core: string): string => {
  const lower = core.toLowerCase();
  return APOSTROPHES.test(lower) ? lower.replace(/[’ʼ‘`´]/gu, "'") : lower;
};

interface MarkedWord {
  readonly lead: string;
  readonly core: string;
  readonly trail: string;
}

/** Splits a chunk into opening marks, word and closing marks. A chunk of only marks becomes the word. */
export const splitMarks = (chunk: string): MarkedWord => {
  if (isPlainCode(chunk.charCodeAt(0)) && isPlainCode(chunk.charCodeAt(chunk.length - 1)))
    return { lead: '', core: chunk, trail: '' };
  if (ADDRESS_LIKE.test(chunk)) {
    const end = /[.,!?;:]{1,3}$/u.exec(chunk)?.[0] ?? '';
    return { lead: '', core: chunk.slice(0, chunk.length - end.length), trail: end };
  }
  const lead = LEAD.exec(chunk)?.[0] ?? '';
  if (lead.length === chunk.length) return { lead: '', core: chunk, trail: '' };
  // Not a regular expression: one would retry at every position, which is quadratic in the chunk length.
  let end = chunk.length;
  while (end > lead.length && CLOSING.has(chunk[end - 1]!)) end -= 1;
  if (end === lead.length || lead.length + chunk.length - end > MARKS_MAX) return { lead: '', core: chunk, trail: '' };
  const core = chunk.slice(lead.length, end);
  const trail = chunk.slice(end);
  // The last dot of "p.m." belongs to the word.
  if (DOTTED.test(core) && trail.startsWith('.')) return { lead, core: `${core}.`, trail: trail.slice(1) };
  return { lead, core, trail };
};

const NO_SPACES = /[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/u;
export const writtenWithoutSpaces = (character: string): boolean => NO_SPACES.test(character);

/** Joins the pieces with one space, or with none in scripts without spaces. */
const joinPieces = (pieces: readonly SpokenPiece[]): { rawText: string; starts: number[] } => {
  let rawText = '';
  const starts: number[] = [];
  for (const { text } of pieces) {
    const trimmed = text.trim();
    if (rawText !== '' && trimmed !== '') {
      const seamless = writtenWithoutSpaces(rawText.at(-1)!) && writtenWithoutSpaces(trimmed[0]!);
      if (!seamless) rawText += ' ';
    }
    starts.push(rawText.length);
    rawText += trimmed;
  }
  return { rawText, starts };
};

/** The raw text of pieces. */
export const joinedText = (pieces: readonly SpokenPiece[]): string => joinPieces(pieces).rawText;

/** Splits the pieces into words. Spreads each window's time evenly over its characters. */
export const tokenise = (
  pieces: readonly SpokenPiece[],
  language: string | null,
): { rawText: string; tokens: Token[] } => {
  const { rawText, starts } = joinPieces(pieces);
  const tokens: Token[] = [];
  let previousEnd = 0;
  pieces.forEach((piece, index) => {
    const from = starts[index]!;
    const text = piece.text.trim();
    const msPerCharacter = text.length > 0 ? Math.max(0, piece.endMs - piece.startMs) / text.length : 0;
    for (const match of text.matchAll(CHUNK)) {
      const rawStart = from + match.index;
      const rawEnd = rawStart + match[0].length;
      const { lead, core, trail } = splitMarks(match[0]);
      tokens.push({
        gap: rawText.slice(previousEnd, rawStart),
        lead,
        core,
        trail,
        key: keyOf(core),
        rawStart,
        rawEnd,
        startMs: piece.startMs + Math.round(match.index * msPerCharacter),
        endMs: piece.startMs + Math.round((match.index + match[0].length) * msPerCharacter),
        piece: index,
        confidence: piece.confidence,
        language: piece.language ?? language,
      });
      previousEnd = rawEnd;
    }
  });
  return { rawText, tokens };
};

export const render = (token: Token): string => token.lead + token.core + token.trail;
export const reword = (token: Token, core: string): Token =>
  core === token.core ? token : { ...token, core, key: keyOf(core) };
export const withTrail = (token: Token, trail: string): Token => (trail === token.trail ? token : { ...token, trail });
export const withGap = (token: Token, gap: string): Token => (gap === token.gap ? token : { ...token, gap });

/** Merges several words into one. */
export const merge = (span: readonly Token[], core: string): Token => {
  const first = span[0]!;
  const last = span.at(-1)!;
  // "10:15 a.m." at the end of a sentence takes no second full stop.
  const trail = core.endsWith('.') ? last.trail.replace(/^\.(?!\.)/u, '') : last.trail;
  return { ...first, core, key: keyOf(core), trail, rawEnd: last.rawEnd, endMs: last.endMs };
};

const ENDS = new RegExp(`[${SENTENCE_ENDS}]`, 'u');
export const endsSentence = (token: Token): boolean => ENDS.test(token.trail);
export const breaksLine = (token: Token): boolean => token.gap.includes('\n');

export const capitalised = (text: string): string => {
  const first = text.match(/^./u)?.[0] ?? '';
  const upper = first.toUpperCase();
  // Keep letters whose capital form is two letters, such as ß.
  return (upper.length === first.length ? upper : first) + text.slice(first.length);
};
/** Whether the word has a letter or a digit. */
export const hasText = ({ core }: Pick<Token, 'core'>): boolean => /[\p{L}\p{N}]/u.test(core);
export const isCapitalised = (token: Token | undefined): boolean => /^\p{Lu}/u.test(token?.core ?? '');
/** Capitalised for another reason than being the pronoun "I". */
export const isNameLike = (token: Token): boolean => isCapitalised(token) && !/^i(?:'|$)/u.test(token.key);
export const withoutPossessive = (key: string): string => key.replace(/'s$/u, '');

/** Milliseconds of silence before a word; 0 inside a window. */
export const pauseMsBefore = (token: Token, before: Token | undefined): number =>
  before && before.piece !== token.piece ? Math.max(0, token.startMs - before.endMs) : 0;
