// The position of a rewrite: looks ahead in the words still to read and back in the words already written.
import { breaksLine, endsSentence, type Token } from './token.ts';

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

  /** The nth word from the end of the output; 1 is the last one. */
  behind(n: number): Token | undefined {
    return this.#out[this.#out.length - n];
  }

  /** The key of a word ahead (0 and up) or behind (negative); '' when there is none. */
  key(n: number): string {
    return n < 0 ? (this.behind(-n)?.key ?? '') : (this.ahead(n)?.key ?? '');
  }

  get written(): number {
    return this.#out.length;
  }

  span(from: number, to: number): readonly Token[] {
    return this.#tokens.slice(this.index + from, this.index + to);
  }

  keysOf(from: number, to: number): string[] {
    return this.span(from, to).map(({ key }) => key);
  }

  /** True when the current word starts a sentence or a line. */
  atStart(): boolean {
    const previous = this.behind(1);
    const here = this.ahead(0);
    return !previous || endsSentence(previous) || (here !== undefined && breaksLine(here));
  }

  /** True when neither punctuation nor a line break separates word n - 1 from word n. */
  joined(n: number): boolean {
    const token = this.ahead(n);
    return token !== undefined && this.ahead(n - 1)?.trail === '' && token.lead === '' && !breaksLine(token);
  }

  /** The key of word n when it is joined to the word before it, else ''. */
  joinedKey(n: number): string {
    return this.joined(n) ? this.key(n) : '';
  }

  /** True when the next n words exist and are joined. */
  unbroken(n: number): boolean {
    for (let k = 1; k < n; k++) if (!this.joined(k)) return false;
    return n === 0 || this.ahead(0) !== undefined;
  }

  /** True when the phrase starts at word n. Ignores punctuation inside the phrase. */
  says(phrase: readonly string[], n = 0): boolean {
    return phrase.every((word, k) => this.key(n + k) === word);
  }

  /** True when one of the last n words of the output passes the test. */
  someBehind(n: number, test: (key: string) => boolean): boolean {
    for (let k = 1; k <= n; k++) if (test(this.key(-k))) return true;
    return false;
  }
}
