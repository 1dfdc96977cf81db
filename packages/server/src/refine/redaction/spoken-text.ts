// A text prepared for detection: its words, its numbers, and the cues before them.
import type { RedactedKind } from '@faircopy/contract';
import { languageOf } from '../language.ts';
import type { Token } from '../token.ts';
import { type CueName, type Cues, cuesFor } from './languages/languages.ts';
import { digitRuns, type Run, runsOf } from './runs.ts';
import { type Item, readItems } from './spoken-codes.ts';

/** Something personal, as a range of tokens. */
export interface Entity {
  readonly kind: RedactedKind;
  readonly from: number;
  readonly to: number;
  /** Compared to give the same value the same number. */
  readonly value: string;
}

export class SpokenText {
  readonly tokens: readonly Token[];
  readonly items: readonly Item[];
  readonly runs: readonly Run[];
  /** Runs of digits alone. */
  readonly numbers: readonly Run[];
  readonly #byStart = new Map<number, Item>();
  readonly #byEnd = new Map<number, Item>();

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.items = readItems(tokens);
    this.runs = runsOf(tokens, this.items);
    this.numbers = this.runs.flatMap(digitRuns);
    for (const item of this.items) {
      this.#byStart.set(item.from, item);
      this.#byEnd.set(item.to, item);
    }
  }

  codeAt(index: number): string {
    return languageOf(this.tokens[Math.min(index, this.tokens.length - 1)]?.language ?? null)?.code ?? 'en';
  }

  cuesAt(index: number): Cues {
    return cuesFor(this.codeAt(index));
  }

  /** Words between a cue and this one; null when none of the last `reach` words is the cue. */
  wordsSince(cue: CueName, index: number, reach: number): number | null {
    const before = this.#keys(Math.max(0, index - reach), index);
    let end = -1;
    for (const match of before.matchAll(this.cuesAt(index)[cue])) end = Math.max(end, match.index + match[0].length);
    return end === -1 ? null : before.slice(end).split(' ').length - 1;
  }

  /** Whether a cue is near, and nothing says that the number is an order, a version or the like. */
  isCued(cue: CueName, index: number, reach: number): boolean {
    const since = this.wordsSince(cue, index, reach);
    if (since === null) return false;
    const other = this.wordsSince('notPersonal', index, reach);
    return other === null || since <= other;
  }

  isNotPersonal(index: number, reach: number): boolean {
    return this.wordsSince('notPersonal', index, reach) !== null;
  }

  says(cue: CueName, index: number): boolean {
    const key = this.tokens[index]?.key;
    return key !== undefined && key.match(this.cuesAt(index)[cue])?.[0] === key;
  }

  itemAt(index: number): Item | undefined {
    return this.#byStart.get(index);
  }

  itemBefore(index: number): Item | undefined {
    return this.#byEnd.get(index);
  }

  #keys(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ key }) => key)
      .join(' ');
  }
}
