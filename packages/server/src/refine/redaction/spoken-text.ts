// A text prepared for detection: its words, its numbers, and the cues before them.
import type { RedactedKind } from '@faircopy/contract';
import { firstIndex } from '../../lib/first-index.ts';
import { isFiller, languageOf } from '../language.ts';
import { hasText, type Token } from '../token.ts';
import { ALL_CUES, type CueName, type Cues, cuesFor } from './languages/languages.ts';
import { digitRuns, interjection, type Run, runsOf } from './runs.ts';
import { type Item, readItems } from './spoken-codes.ts';

/** Personal data, as a range of tokens. */
export interface Entity {
  readonly kind: RedactedKind;
  readonly from: number;
  readonly to: number;
  /** Equal values get equal marks. */
  readonly value: string;
}

/** Maximum tokens between a bare word, such as "order", and its number. */
const WEAK_REACH = 4;
const NUMBER_WORD = /number|nummer|num[eé]ro|número|cod[ei]|código/u;
const ANY_NUMBER =
  /^(?:the number|a number|die nummer|eine nummer|(?:le|un|au|du) numéro|(?:el|un) número|(?:il|un) numero|(?:o|um) número|(?:het|een) nummer)$/u;
/** "my SSN for the policy", "my tax id on the invoice": the purpose of a number is not its name. */
const PURPOSE = /(?:^| )(?:for|on|für|auf|pour|sur|para|en|em|na|no|nas|nos|per|sulla|sul|nella|voor|op)(?: \S+)? $/u;
const PERSONAL_CUES: readonly CueName[] = ['card', 'cvv', 'iban', 'bankCode', 'id', 'phone', 'postcode'];

/** German and Dutch labels are one word, so each pattern matches the other's personal labels: "Krankenkassennummer". */
const isOtherCompound = (cues: Cues, code: string): boolean =>
  (code === 'de' && cues === cuesFor('nl')) || (code === 'nl' && cues === cuesFor('de'));

/** "taxpayer number" has the form of a label but is personal. */
const isPersonalLabel = (label: string, cues: Cues): boolean =>
  PERSONAL_CUES.some((cue) => label.match(cues[cue]) !== null);

/** A filler or a lone dash, as between a question and its answer. */
const isSilent = (token: Token): boolean => !hasText(token) || isFiller(token);

export class SpokenText {
  static readonly #known = new WeakMap<readonly Token[], SpokenText>();

  /** The same text for the same tokens, because preparing it takes as long as searching it. */
  static of(tokens: readonly Token[]): SpokenText {
    const known = SpokenText.#known.get(tokens);
    if (known) return known;
    const text = new SpokenText(tokens);
    SpokenText.#known.set(tokens, text);
    return text;
  }

  readonly tokens: readonly Token[];
  readonly items: readonly Item[];
  readonly runs: readonly Run[];
  /** Digit-only parts of the runs. */
  readonly digitRuns: readonly Run[];
  readonly #byStart = new Map<number, Item>();
  readonly #byEnd = new Map<number, Item>();
  /** Whether a cue occurs anywhere. Most do not, which saves a search before each number. */
  readonly #isCueSaid = new Map<RegExp, boolean>();
  /** By token and reach, because several finders ask about the same number in all languages. */
  readonly #isOfSomethingElse = new Map<string, boolean>();
  /** All words joined by spaces, and the offset of each. */
  readonly #said: string;
  readonly #starts: readonly number[];

  /** The number of words before each token. A number counts as one word, "– uh, hang on," as none. */
  readonly #wordsBefore: readonly number[];

  private constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.items = readItems(tokens);
    this.runs = runsOf(tokens, this.items);
    this.digitRuns = this.runs.flatMap(digitRuns);
    for (const item of this.items) {
      this.#byStart.set(item.from, item);
      this.#byEnd.set(item.to, item);
    }
    const starts = [0];
    for (const { key } of tokens) starts.push(starts.at(-1)! + key.length + 1);
    this.#starts = starts;
    this.#said = tokens.map(({ key }) => key).join(' ');
    let [words, wordEnd] = [0, 0];
    this.#wordsBefore = tokens.map((token, index) => {
      const before = words;
      const saidEnd = index + interjection(tokens, index, tokens.length);
      wordEnd = Math.max(wordEnd, this.#byStart.get(index)?.to ?? 0, saidEnd + 1);
      if (index >= wordEnd - 1 && saidEnd === index && !isSilent(token)) words += 1;
      return before;
    });
  }

  /** The first token that is at most `reach` words before `index`. */
  #startOf(index: number, reach: number): number {
    const first = (this.#wordsBefore[index] ?? this.#wordsBefore.at(-1)! + 1) - reach;
    let start = index;
    while (start > 0 && (this.#wordsBefore[start - 1] ?? 0) >= first) start -= 1;
    return start;
  }

  codeAt(index: number): string {
    return languageOf(this.tokens[Math.min(index, this.tokens.length - 1)]?.language ?? null)?.code ?? 'en';
  }

  cuesAt(index: number): Cues {
    return cuesFor(this.codeAt(index));
  }

  /** The number of tokens since the last cue; null if none of the last `reach` words is the cue. */
  tokensSince(cue: CueName, index: number, reach: number, cues = this.cuesAt(index)): number | null {
    const said = this.#lastSaid(cue, index, reach, cues, () => true);
    return said === null ? null : index - said.to;
  }

  /** The token range of the last such cue, or null. */
  #lastSaid(
    cue: CueName,
    index: number,
    reach: number,
    cues: Cues,
    isCounted: (before: string) => boolean,
  ): { readonly from: number; readonly to: number } | null {
    if (!this.#isSaid(cues[cue])) return null;
    const start = this.#startOf(index, reach);
    const before = this.keys(start, index);
    let last: { from: number; to: number } | null = null;
    for (const match of before.matchAll(cues[cue])) {
      const from = start + before.slice(0, match.index).split(' ').length - 1;
      const to = from + match[0].split(' ').length;
      // "a burgundy one, number 5088": a label has no punctuation inside.
      const isApart = this.tokens.slice(from, to - 1).some(({ trail }) => trail !== '');
      if (cue === 'label' && (isApart || isPersonalLabel(match[0], cues))) continue;
      if (isCounted(before.slice(0, match.index))) last = { from, to };
    }
    return last;
  }

  /** Whether a cue follows within the same sentence: "eleven twenty-six, my card". */
  isNamedAfter(cue: CueName, index: number, reach: number): boolean {
    const said = this.tokens.slice(Math.max(0, index - 1), index + reach);
    const end = said.findIndex(({ trail }) => /[.!?]/u.test(trail));
    const last = end === -1 ? index + reach : Math.max(0, index - 1) + end + 1;
    return this.keys(index, last).match(this.cuesAt(index)[cue]) !== null;
  }

  /** Whether a cue is near and no later word names the number as an order, a version or the like. */
  isCued(cue: CueName, index: number, reach: number): boolean {
    const cues = this.cuesAt(index);
    const said = this.#lastSaid(cue, index, reach, cues, () => true);
    if (said === null) return false;
    // "the confirmation has the number" may be a number of anything.
    const name = this.keys(Math.max(0, said.to - 2), said.to);
    if (cue === 'phone' && ANY_NUMBER.test(name) && this.isNotPersonal(index, reach)) return false;
    const [thing, label] = (['notPersonal', 'label'] as const).map((other) =>
      this.#lastSaid(other, index, reach, cues, (before) => !PURPOSE.test(before)),
    );
    // "the part number for that filter"
    const isPartOfName = thing && thing.from < said.from && said.from < thing.to;
    return !isPartOfName && [thing, label].every((other) => !other || other.to <= said.to);
  }

  /** Whether words such as "order" name the number. A bare word must be close: "in case you miss me, it's 555 0187". */
  isNotPersonal(index: number, reach: number, cues = this.cuesAt(index)): boolean {
    if (!this.#isSaid(cues.notPersonal)) return false;
    const before = this.keys(Math.max(0, index - reach), index);
    return [...before.matchAll(cues.notPersonal)].some((match) => {
      const gap = before.slice(match.index + match[0].length).split(' ').length - 1;
      const isEnded = gap > 0 && this.tokens.slice(index - gap - 1, index).some(({ trail }) => /[.!]/u.test(trail));
      return !isEnded && (gap <= WEAK_REACH || NUMBER_WORD.test(match[0]));
    });
  }

  /** Whether the words before the number name it as something else, in any language: "claim number". */
  isOfSomethingElse(index: number, reach: number): boolean {
    const known = this.#isOfSomethingElse.get(`${index} ${reach}`);
    if (known !== undefined) return known;
    const code = this.codeAt(index);
    const isNamed = ALL_CUES.filter((cues) => !isOtherCompound(cues, code)).some(
      (cues) => this.isNotPersonal(index, reach, cues) || this.tokensSince('label', index, reach, cues) !== null,
    );
    this.#isOfSomethingElse.set(`${index} ${reach}`, isNamed);
    return isNamed;
  }

  /** Whether these words name something personal, in any language. */
  isPersonalCue(from: number, to: number): boolean {
    return ALL_CUES.some((cues) => isPersonalLabel(this.keys(from, to), cues));
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

  /** The item before the one at this token, if both are of one run. */
  itemBeforeInRun(index: number): Item | undefined {
    const run = this.runs[firstIndex(this.runs, ({ items }) => items.at(-1)!.from >= index)];
    const n = run ? firstIndex(run.items, (item) => item.from >= index) : 0;
    return run?.items[n]?.from === index ? run.items[n - 1] : undefined;
  }

  /** Index of the first item that starts at this token or later. */
  itemIndex(from: number): number {
    return firstIndex(this.items, (item) => item.from >= from);
  }

  /** The items within a range of tokens. */
  itemsIn(from: number, to: number): readonly Item[] {
    return this.items.slice(
      this.itemIndex(from),
      firstIndex(this.items, (item) => item.to > to),
    );
  }

  #isSaid(cue: RegExp): boolean {
    const known = this.#isCueSaid.get(cue);
    if (known !== undefined) return known;
    const isSaid = this.#said.search(cue) !== -1;
    this.#isCueSaid.set(cue, isSaid);
    return isSaid;
  }

  /** The words with spaces between them. */
  keys(from: number, to: number): string {
    const end = Math.min(to, this.tokens.length);
    return from < end ? this.#said.slice(this.#starts[from], this.#starts[end]! - 1) : '';
  }

  keysTogether(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ key }) => key)
      .join('');
  }
}
