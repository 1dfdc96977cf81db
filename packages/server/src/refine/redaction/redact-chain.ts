// Redacts refined text, and raw text that is not refined.
import { type ChainResult, refinedTokens, spokenTokens, toRefined } from '../chain.ts';
import type { Refined, RefineInput, SpokenPiece } from '../refiner.ts';
import { joinedText, tokenise } from '../token.ts';
import { openTokens } from './open-ends.ts';
import { otherReadings } from './other-readings.ts';
import { findPersonal, redactText } from './redact.ts';
import type { RedactedSpan, Redaction, RedactionInput } from './redaction.ts';

/** Maximum characters of the text before that serve as context. */
const BEFORE_CHARACTERS_MAX = 600;

const withBefore = ({ pieces }: RefineInput, before: string): readonly SpokenPiece[] => {
  const text = before
    .slice(-BEFORE_CHARACTERS_MAX)
    .replace(/^\S*\s/u, '')
    .trim();
  const first = pieces.find((piece) => piece.text.trim() !== '');
  if (text === '' || !first) return pieces;
  return [{ ...first, text, endMs: first.startMs }, ...pieces];
};

const redactionOf = (input: RefineInput, shown: ChainResult, asked: RedactionInput): Redaction => {
  const pieces = withBefore(input, asked.before);
  const whole = { ...input, pieces };
  const isRefined = pieces === input.pieces && shown.records.length > 0 && (input.level ?? 'standard') === 'standard';
  const raw = spokenTokens(whole);
  const refined = isRefined ? shown.tokens : refinedTokens(whole);
  const rawText = joinedText(pieces);
  const readings = { raw, refined, offset: rawText.length - shown.rawText.length, end: rawText.length };
  return findPersonal(readings, shown.tokens, asked);
};

/** Hides what `input.redaction` asks for. If it is undefined, the result stays unchanged. */
export const redactChain = (
  input: RefineInput,
  result: ChainResult,
): { readonly result: ChainResult; readonly redaction?: Redaction } => {
  if (!input.redaction || result.tokens.length === 0) return { result };
  const redaction = redactionOf(input, result, input.redaction);
  return { result: redactText(result, redaction.spans), redaction };
};

const unrefined = ({ pieces, language }: RefineInput): ChainResult => ({
  ...tokenise(pieces, language),
  records: [],
  numbersRestored: 0,
});

/** The raw text with redaction marks, for text that is not refined. */
export const redactRaw = (input: RefineInput): Refined => {
  const { result, redaction } = redactChain(input, unrefined(input));
  return { ...toRefined(result), redaction: redaction ?? { spans: [], known: input.redaction?.known ?? [] } };
};

/** The offset from which the text may belong to an unfinished number or e-mail address. */
const openTextStart = ({ rawText, tokens }: ChainResult, { kinds: names }: RedactionInput): number => {
  const kinds = new Set(names);
  const count = Math.max(...[tokens, ...otherReadings(tokens)].map((reading) => openTokens(reading, kinds)));
  return count === 0 ? rawText.length : tokens[tokens.length - count]!.rawStart;
};

export interface RedactedInterim {
  readonly spans: readonly RedactedSpan[];
  /** Later text may be part of an unfinished number or e-mail address. */
  readonly shownTo: number;
}

/** What to hide in text that continues. Both answers share the preparation of the words. */
export const redactInterim = (input: RefineInput, asked: RedactionInput): RedactedInterim => {
  const raw = unrefined(input);
  if (raw.tokens.length === 0) return { spans: [], shownTo: raw.rawText.length };
  return { spans: redactionOf(input, raw, asked).spans, shownTo: openTextStart(raw, asked) };
};
