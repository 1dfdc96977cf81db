// Rewriting: a pass is a rule tried at every word from left to right, and every change leaves a mark.
import type { Language } from './language.ts';
import { breaksLine, endsSentence, type Token } from './token.ts';
import type { IsOrdinary } from './vocabulary/ordinary.ts';

/** Where a pass changed something, and why. Spans are in the raw text. */
export interface Mark {
  readonly pass: string;
  readonly reason: string;
  readonly rawStart: number;
  readonly rawEnd: number;
}

export interface Rewritten {
  readonly tokens: readonly Token[];
  readonly marks: readonly Mark[];
}

export interface PassContext {
  readonly language: Language | null;
  readonly vocabulary: readonly string[];
  readonly isOrdinary: IsOrdinary;
}

/** A pass is pure: words in, words out, with the marks of its changes. */
export interface Pass {
  readonly name: string;
  readonly run: (tokens: readonly Token[], context: PassContext) => Rewritten;
}

/** What a rule wants: `back` words already written and `take` words from here on become `put`. */
export interface Change {
  readonly back?: number;
  readonly take: number;
  readonly put: readonly Token[];
  readonly reason: string;
}

export class Cursor {
  readonly #tokens: readonly Token[];
  readonly #out: readonly Token[];
  index = 0;
  constructor(tokens: readonly Token[], out: readonly Token[]) {
    this.#tokens = tokens;
    this.#out = out;
  }
  /** The nth word from here; 0 is the current one. */
  ahead(n: number): Token | undefined {
    return this.#tokens[this.index + n];
  }
  key(n: number): string {
    return n < 0 ? (this.behind(-n)?.key ?? '') : (this.ahead(n)?.key ?? '');
  }
  /** The nth word before, as written so far; 1 is the nearest. */
  behind(n: number): Token | undefined {
    return this.#out[this.#out.length - n];
  }
  get written(): number {
    return this.#out.length;
  }
  span(from: number, to: number): readonly Token[] {
    return this.#tokens.slice(this.index + from, this.index + to);
  }
  /** True when the current word begins a sentence or a line. */
  atStart(): boolean {
    const previous = this.behind(1);
    const here = this.ahead(0);
    return !previous || endsSentence(previous) || (here !== undefined && breaksLine(here));
  }
  /** True when the words from here to n run on without any mark or line break between them. */
  unbroken(n: number): boolean {
    for (let k = 0; k < n; k++) {
      const token = this.ahead(k);
      if (!token || (k < n - 1 && token.trail !== '') || (k > 0 && (breaksLine(token) || token.lead !== '')))
        return false;
    }
    return true;
  }
}

export type Rule = (at: Cursor) => Change | null;

const QUOTES = /["“”„«»()[\]]/gu;
const quotesOf = (text: string): string => text.match(QUOTES)?.join('') ?? '';

/** After words go, the marks that still mean something move to their neighbours. */
const close = (before: Token | undefined, gone: readonly Token[]): { trail: string | null; lead: string } => {
  const trails = gone.map((token) => token.trail).join('');
  const opening = quotesOf(gone.map((token) => token.lead).join(''));
  const closing = quotesOf(trails);
  const balanced = opening !== '' && closing !== '';
  if (!before) return { trail: null, lead: balanced ? '' : opening };
  const end = /[.!?…]+/u.exec(gone.at(-1)!.trail)?.[0];
  const kept = balanced ? '' : closing;
  if (end && !endsSentence(before) && !breaksLine(gone[0]!)) {
    return { trail: before.trail.replace(/[,;:\-–—]+$/u, '') + end + kept, lead: balanced ? '' : opening };
  }
  return { trail: kept === '' ? null : before.trail + kept, lead: balanced ? '' : opening };
};

const widerGap = (a: string, b: string): string => {
  const breaks = (gap: string) => gap.split('\n').length;
  return breaks(a) >= breaks(b) ? a : b;
};

export const rewrite = (tokens: readonly Token[], pass: string, rule: Rule): Rewritten => {
  const source = [...tokens];
  const out: Token[] = [];
  const marks: Mark[] = [];
  const at = new Cursor(source, out);
  while (at.index < source.length) {
    const change = rule(at);
    if (!change) {
      out.push(source[at.index]!);
      at.index += 1;
      continue;
    }
    const back = out.splice(out.length - (change.back ?? 0), change.back ?? 0);
    const gone = [...back, ...source.slice(at.index, at.index + change.take)];
    at.index += change.take;
    const first = gone[0];
    if (change.put.length === gone.length && change.put.every((token, n) => token === gone[n])) {
      out.push(...gone);
      continue;
    }
    marks.push({
      pass,
      reason: change.reason,
      rawStart: first?.rawStart ?? source[at.index]?.rawStart ?? 0,
      rawEnd: gone.at(-1)?.rawEnd ?? source[at.index]?.rawStart ?? 0,
    });
    if (change.put.length > 0) {
      out.push(...change.put);
    } else if (first) {
      const previous = out.at(-1);
      const { trail, lead } = close(previous, gone);
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
  return { tokens: out, marks };
};

/** Changes words one by one, without a pattern. Returning the same token leaves the word unchanged. */
export const mapTokens = (
  tokens: readonly Token[],
  pass: string,
  reason: string,
  change: (token: Token, index: number, before: Token | undefined) => Token,
): Rewritten => {
  const marks: Mark[] = [];
  const out: Token[] = [];
  tokens.forEach((token, index) => {
    const changed = change(token, index, out.at(-1));
    if (changed !== token) marks.push({ pass, reason, rawStart: token.rawStart, rawEnd: token.rawEnd });
    out.push(changed);
  });
  return { tokens: out, marks };
};
