// A text prepared for detection: its words, its numbers, and the cues before them.
import type { RedactedKind } from '@faircopy/contract';
import { languageOf } from '../language.ts';
import type { Token } from '../token.ts';
import { ALL_CUES, type CueName, type Cues, cuesFor } from './languages/languages.ts';
import { digitRuns, interjection, type Run, runsOf } from './runs.ts';
import { type Item, readItems } from './spoken-codes.ts';

/** Something personal, as a range of tokens. */
export interface Entity {
  readonly kind: RedactedKind;
  readonly from: number;
  readonly to: number;
  /** Compared to give the same value the same number. */
  readonly value: string;
}

/** Between a word alone, such as "order", and its number. */
const WEAK_REACH = 4;
const NUMBER_WORD = /number|nummer|num[eé]ro|número|cod[ei]|código/u;
const ANY_NUMBER =
  /^(?:the number|a number|die nummer|eine nummer|(?:le|un|au|du) numéro|(?:el|un) número|(?:il|un) numero|(?:o|um) número|(?:het|een) nummer)$/u;
/** "my SSN for the policy", "my tax id on the invoice": what a number is for does not name it. */
const PURPOSE = /(?:^| )(?:for|on|für|auf|pour|sur|para|en|em|na|no|nas|nos|per|sulla|sul|nella|voor|op)(?: \S+)? $/u;
const PERSONAL_CUES: readonly CueName[] = ['card', 'cvv', 'iban', 'bankCode', 'id', 'phone', 'postcode'];

/** German and Dutch write labels as one word, and each would take the other's personal ones: "Krankenkassennummer". */
const isOtherCompound = (cues: Cues, code: string): boolean =>
  (code === 'de' && cues === cuesFor('nl')) || (code === 'nl' && cues === cuesFor('de'));

/** "taxpayer number" has the form of a label. */
const isPersonalLabel = (label: string, cues: Cues): boolean =>
  PERSONAL_CUES.some((cue) => label.match(cues[cue]) !== null);

/** "uh", and a dash by itself, between a question and its answer. */
const isSilent = ({ core, key, language }: Token): boolean =>
  !/[\p{L}\p{N}]/u.test(core) || (languageOf(language)?.fillers.has(key) ?? false);

export class SpokenText {
  readonly tokens: readonly Token[];
  readonly items: readonly Item[];
  readonly runs: readonly Run[];
  /** Runs of digits alone. */
  readonly numbers: readonly Run[];
  readonly #byStart = new Map<number, Item>();
  readonly #byEnd = new Map<number, Item>();
  /** Whether a cue is said anywhere: most are not, and need not be looked for before each number. */
  readonly #isCueSaid = new Map<RegExp, boolean>();
  /** All words, and where each begins. */
  readonly #said: string;
  readonly #starts: readonly number[];

  /** How many words are said before each token: a number is one word, and "– uh, hang on," is none. */
  readonly #wordsBefore: readonly number[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.items = readItems(tokens);
    this.runs = runsOf(tokens, this.items);
    this.numbers = this.runs.flatMap(digitRuns);
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

  /** The first token that at most `reach` words precede this one from. */
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

  /** Words between a cue and this one; null when none of the last `reach` words is the cue. */
  wordsSince(cue: CueName, index: number, reach: number, cues = this.cuesAt(index)): number | null {
    const said = this.#lastSaid(cue, index, reach, cues, () => true);
    return said === null ? null : index - said.to;
  }

  /** Where the last of these cues is said. */
  #lastSaid(
    cue: CueName,
    index: number,
    reach: number,
    cues: Cues,
    isCounted: (before: string) => boolean,
  ): { readonly from: number; readonly to: number } | null {
    if (!this.#isSaid(cues[cue])) return null;
    const start = this.#startOf(index, reach);
    const before = this.#keys(start, index);
    let last: { from: number; to: number } | null = null;
    for (const match of before.matchAll(cues[cue])) {
      const from = start + before.slice(0, match.index).split(' ').length - 1;
      const to = from + match[0].split(' ').length;
      // "a burgundy one, number 5088": a label is said in one breath.
      const isApart = this.tokens.slice(from, to - 1).some(({ trail }) => trail !== '');
      if (cue === 'label' && (isApart || isPersonalLabel(match[0], cues))) continue;
      if (isCounted(before.slice(0, match.index))) last = { from, to };
    }
    return last;
  }

  /** Whether a cue follows within the same sentence: "eleven twenty-six, my card". */
  isNamedAfter(cue: CueName, index: number, reach: number): boolean {
    const end = this.tokens.findIndex(({ trail }, at) => at >= index - 1 && /[.!?]/u.test(trail));
    const last = Math.min(index + reach, end === -1 ? this.tokens.length : end + 1);
    return this.#keys(index, last).match(this.cuesAt(index)[cue]) !== null;
  }

  /** Whether a cue is near, and nothing says that the number is an order, a version or the like. */
  isCued(cue: CueName, index: number, reach: number): boolean {
    const cues = this.cuesAt(index);
    const said = this.#lastSaid(cue, index, reach, cues, () => true);
    if (said === null) return false;
    // "the confirmation has the number": a number of anything.
    const name = this.#keys(Math.max(0, said.to - 2), said.to);
    if (cue === 'phone' && ANY_NUMBER.test(name) && this.isNotPersonal(index, reach)) return false;
    const [thing, label] = (['notPersonal', 'label'] as const).map((other) =>
      this.#lastSaid(other, index, reach, cues, (before) => !PURPOSE.test(before)),
    );
    // "the part number for that filter"
    const isPartOfName = thing && thing.from < said.from && said.from < thing.to;
    return !isPartOfName && [thing, label].every((other) => !other || other.to <= said.to);
  }

  /** "in case you miss me, it's 555 0187": a word alone names only what is said right after it. */
  isNotPersonal(index: number, reach: number, cues = this.cuesAt(index)): boolean {
    if (!this.#isSaid(cues.notPersonal)) return false;
    const before = this.#keys(Math.max(0, index - reach), index);
    return [...before.matchAll(cues.notPersonal)].some((match) => {
      const gap = before.slice(match.index + match[0].length).split(' ').length - 1;
      const isEnded = gap > 0 && this.tokens.slice(index - gap - 1, index).some(({ trail }) => /[.!]/u.test(trail));
      return !isEnded && (gap <= WEAK_REACH || NUMBER_WORD.test(match[0]));
    });
  }

  /** Whether the number is said to be of something else, in any language: "claim number". */
  isOfSomethingElse(index: number, reach: number): boolean {
    const code = this.codeAt(index);
    return ALL_CUES.filter((cues) => !isOtherCompound(cues, code)).some(
      (cues) => this.isNotPersonal(index, reach, cues) || this.wordsSince('label', index, reach, cues) !== null,
    );
  }

  /** Whether these words name something personal, in any language. */
  isPersonalCue(from: number, to: number): boolean {
    return ALL_CUES.some((cues) => isPersonalLabel(this.#keys(from, to), cues));
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

  #isSaid(cue: RegExp): boolean {
    const known = this.#isCueSaid.get(cue);
    if (known !== undefined) return known;
    const isSaid = this.#said.search(cue) !== -1;
    this.#isCueSaid.set(cue, isSaid);
    return isSaid;
  }

  #keys(from: number, to: number): string {
    const end = Math.min(to, this.tokens.length);
    return from < end ? this.#said.slice(this.#starts[from], this.#starts[end]! - 1) : '';
  }
}
