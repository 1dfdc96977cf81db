// The last check of the chain: undoes edits that lose a spoken number or change its value.
import { firstIndex } from '../lib/first-index.ts';
import { differencesOf } from './edits.ts';
import { languageOf } from './language.ts';
import { onlySpoken, sameValues, valuesOf } from './numbers/number-values.ts';
import { isNumberWord } from './numbers/number-words.ts';
import type { ChangeRecord } from './rewrite.ts';
import { type Token, withTrail } from './token.ts';
import { wordsOfAll } from './words.ts';

/** Passes that may remove a number: it was corrected, recognised twice, hallucinated, or part of a vocabulary term. */
const MAY_REMOVE = new Set(['corrections', 'tagger', 'window-joins', 'artefacts', 'vocabulary']);

interface CheckedNumbers {
  readonly tokens: readonly Token[];
  /** Number of spans restored to the spoken words. */
  readonly restored: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const codeOf = (token: Token | undefined): string | null => languageOf(token?.language ?? null)?.code ?? null;
const isNumber = (token: Token | undefined): boolean =>
  token !== undefined && (/\d/u.test(token.core) || isNumberWord(token.key, codeOf(token)));
/** Words that join two parts of a number. */
const JOINTS = wordsOfAll({
  en: 'and point oh o',
  de: 'und komma',
  nl: 'en komma',
  es: 'y coma',
  fr: 'et virgule',
  it: 'e virgola',
  pt: 'e vírgula',
});

/** The tokens in [start, end), including tokens with an empty span that a correction moved to `start` or `end`. */
const within = (tokens: readonly Token[], start: number, end: number): Span => {
  let from = firstIndex(tokens, ({ rawEnd }) => rawEnd > start);
  while (from > 0 && tokens[from - 1]!.rawStart >= start && tokens[from - 1]!.rawEnd <= end) from -= 1;
  let to = from;
  while (to < tokens.length && (tokens[to]!.rawStart < end || tokens[to]!.rawEnd <= end)) to += 1;
  return { from, to };
};

/** Extends the span until it cuts no number. */
const widened = (tokens: readonly Token[], { from, to }: Span): Span => {
  let [start, end] = [from, to];
  const isJoint = (n: number) => JOINTS.has(tokens[n]?.key ?? '');
  const goesOn = (a: number, b: number) => isNumber(tokens[a]) && isNumber(tokens[b]);
  for (;;) {
    if (goesOn(start - 1, start)) start -= 1;
    else if (isJoint(start - 1) && goesOn(start - 2, start)) start -= 2;
    else if (isJoint(start) && goesOn(start - 1, start + 1)) start -= 1;
    else break;
  }
  for (;;) {
    if (goesOn(end - 1, end)) end += 1;
    else if (isJoint(end) && goesOn(end - 1, end + 1)) end += 2;
    else if (isJoint(end - 1) && goesOn(end - 2, end)) end += 1;
    else break;
  }
  return { from: start, to: end };
};

/** Extends both spans until they cover the same raw text and whole tokens. */
const aligned = (raw: readonly Token[], refined: readonly Token[], start: number, end: number) => {
  let [rawSpan, span] = [within(raw, start, end), within(refined, start, end)];
  for (;;) {
    const wide = widened(raw, rawSpan);
    const first = Math.min(start, raw[wide.from]?.rawStart ?? start, refined[span.from]?.rawStart ?? start);
    const last = Math.max(end, raw[wide.to - 1]?.rawEnd ?? end, refined[span.to - 1]?.rawEnd ?? end);
    const next = { raw: within(raw, first, last), refined: within(refined, first, last) };
    const stable =
      next.raw.from === rawSpan.from &&
      next.raw.to === rawSpan.to &&
      next.refined.from === span.from &&
      next.refined.to === span.to;
    [rawSpan, span, start, end] = [next.raw, next.refined, first, last];
    if (stable) return { rawSpan, span, start, end };
  }
};

const joined = (one: Span, other: Span): Span => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
});

/** The spoken words, with the punctuation that the passes put after them. */
const asSaid = (said: readonly Token[], written: readonly Token[]): Token[] => {
  const last = said.at(-1);
  const end = written.at(-1);
  if (!last || !end || last.trail !== '') return [...said];
  return [...said.slice(0, -1), withTrail(last, end.trail)];
};

export const checkNumbers = (
  rawText: string,
  raw: readonly Token[],
  refined: readonly Token[],
  records: readonly ChangeRecord[],
): CheckedNumbers => {
  const removals = records.filter(({ pass }) => MAY_REMOVE.has(pass)).sort((a, b) => a.rawStart - b.rawStart);
  const out: Token[] = [];
  let restored = 0;
  let copied = 0;
  let checkedTo = -1;
  let removal = 0;
  /** The span restored last, and its index in the output. */
  let last: { rawSpan: Span; span: Span; outputFrom: number } | undefined;
  for (const { rawStart, rawEnd } of differencesOf(rawText, refined)) {
    if (rawEnd <= checkedTo) continue;
    const touched = within(raw, rawStart, rawEnd);
    if (!raw.slice(touched.from, touched.to).some(isNumber)) continue;
    const { rawSpan, span, start, end } = aligned(raw, refined, rawStart, rawEnd);
    checkedTo = end;
    const [before, after] = [raw.slice(rawSpan.from, rawSpan.to), refined.slice(span.from, span.to)];
    const code = codeOf(before.find(isNumber));
    const [said, written] = [valuesOf(before, code), valuesOf(after, code)];
    while (removal < removals.length && removals[removal]!.rawEnd <= start) removal += 1;
    const mayRemove = removals
      .slice(removal, removal + 50)
      .some((record) => record.rawStart < end && record.rawEnd > start);
    if (mayRemove ? onlySpoken(said, written) : sameValues(said, written)) continue;
    restored += 1;
    let place = { rawSpan, span };
    // Overlapping spans are restored together.
    if (last && rawSpan.from < last.rawSpan.to) {
      place = { rawSpan: joined(last.rawSpan, rawSpan), span: joined(last.span, span) };
      out.length = last.outputFrom;
      copied = place.span.from;
    }
    for (; copied < place.span.from; copied++) out.push(refined[copied]!);
    last = { ...place, outputFrom: out.length };
    out.push(...asSaid(raw.slice(place.rawSpan.from, place.rawSpan.to), refined.slice(place.span.from, place.span.to)));
    copied = Math.max(copied, place.span.to);
  }
  if (restored === 0) return { tokens: refined, restored };
  for (; copied < refined.length; copied++) out.push(refined[copied]!);
  return { tokens: out, restored };
};
