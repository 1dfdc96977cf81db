// Applies a rule at every word, from left to right, and records every change.
import type { Term } from '@faircopy/contract';
import { Cursor } from './cursor.ts';
import type { Language } from './language.ts';
import { breaksLine, endsSentence, type Token } from './token.ts';
import type { IsOrdinary } from './vocabulary/ordinary.ts';

/** A change that a pass made. Offsets are in the raw text. */
export interface ChangeRecord {
  readonly pass: string;
  readonly reason: string;
  readonly rawStart: number;
  readonly rawEnd: number;
}

export interface Rewritten {
  readonly tokens: readonly Token[];
  readonly records: readonly ChangeRecord[];
}

interface PassContext {
  readonly language: Language | null;
  readonly vocabulary: readonly Term[];
  /** True when only the spelling of terms may be corrected. */
  readonly isSteered?: boolean;
  readonly isOrdinary: IsOrdinary;
}

/** A pass is a pure function over words. */
export interface Pass {
  readonly name: string;
  readonly run: (tokens: readonly Token[], context: PassContext) => Rewritten;
}

/** Replaces the last `back` words of the output and the next `take` words of the input with `put`. */
export interface Change {
  readonly back?: number;
  readonly take: number;
  readonly put: readonly Token[];
  readonly reason: string;
}

export type Rule = (at: Cursor) => Change | null;

export const unchanged = (tokens: readonly Token[]): Rewritten => ({ tokens, records: [] });

/** The record of a change to one word. */
export const recordOf = (pass: string, reason: string, { rawStart, rawEnd }: Token): ChangeRecord => ({
  pass,
  reason,
  rawStart,
  rawEnd,
});

const QUOTES = /["“”„«»()[\]]/gu;
const quotesOf = (text: string): string => text.match(QUOTES)?.join('') ?? '';

/** The punctuation that deleted words pass on to their neighbours; a null trail means no change. */
const marksLeft = (before: Token | undefined, deleted: readonly Token[]): { trail: string | null; lead: string } => {
  const trails = deleted.map((token) => token.trail).join('');
  const opening = quotesOf(deleted.map((token) => token.lead).join(''));
  const closing = quotesOf(trails);
  const balanced = opening !== '' && closing !== '';
  const lead = balanced ? '' : opening;
  if (!before) return { trail: null, lead };
  const end = /[.!?…]+/u.exec(deleted.at(-1)!.trail)?.[0];
  const kept = balanced ? '' : closing;
  if (end && !endsSentence(before) && !breaksLine(deleted[0]!))
    return { trail: before.trail.replace(/[,;:\-–—]+$/u, '') + end + kept, lead };
  return { trail: kept === '' ? null : before.trail + kept, lead };
};

const widerGap = (a: string, b: string): string => {
  const breaks = (gap: string) => gap.split('\n').length;
  return breaks(a) >= breaks(b) ? a : b;
};

export const rewrite = (tokens: readonly Token[], pass: string, rule: Rule): Rewritten => {
  const source = [...tokens];
  const out: Token[] = [];
  const records: ChangeRecord[] = [];
  const at = new Cursor(source, out);
  while (at.index < source.length) {
    const change = rule(at);
    if (!change) {
      out.push(source[at.index]!);
      at.index += 1;
      continue;
    }
    const back = out.splice(out.length - (change.back ?? 0), change.back ?? 0);
    const replaced = [...back, ...source.slice(at.index, at.index + change.take)];
    at.index += change.take;
    const first = replaced[0];
    if (change.put.length === replaced.length && change.put.every((token, n) => token === replaced[n])) {
      out.push(...replaced);
      continue;
    }
    records.push({
      pass,
      reason: change.reason,
      rawStart: first?.rawStart ?? source[at.index]?.rawStart ?? 0,
      rawEnd: replaced.at(-1)?.rawEnd ?? source[at.index]?.rawStart ?? 0,
    });
    if (change.put.length > 0) {
      out.push(...change.put);
    } else if (first) {
      const previous = out.at(-1);
      const { trail, lead } = marksLeft(previous, replaced);
      if (previous && trail !== null) out[out.length - 1] = { ...previous, trail };
      const next = source[at.index];
      if (next)
        source[at.index] = {
          ...next,
          lead: lead + next.lead,
          gap: previous ? widerGap(first.gap, next.gap) : first.gap,
        };
    }
  }
  return { tokens: out, records };
};

/** Changes words one at a time. `change` returns the same token to keep it unchanged. */
export const mapTokens = (
  tokens: readonly Token[],
  pass: string,
  reason: string,
  change: (token: Token, index: number, before: Token | undefined) => Token,
): Rewritten => {
  const records: ChangeRecord[] = [];
  const out: Token[] = [];
  tokens.forEach((token, index) => {
    const changed = change(token, index, out.at(-1));
    if (changed !== token) records.push(recordOf(pass, reason, token));
    out.push(changed);
  });
  return { tokens: out, records };
};

/** A pass with one rule, for languages that have rules. `ruleFor` returns null to leave the text unchanged. */
export const rulePass = (
  name: string,
  ruleFor: (language: Language, tokens: readonly Token[]) => Rule | null,
): Pass => ({
  name,
  run: (tokens, { language }) => {
    const rule = language && ruleFor(language, tokens);
    return rule ? rewrite(tokens, name, rule) : unchanged(tokens);
  },
});
