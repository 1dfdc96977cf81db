// Splits words into WordPieces, as in training (training/disfluency/wordpiece.py).

const RUN = /[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*|\.{2,}|[,.?!;:…]|[-–—]+/gu;
const UNKNOWN = 1;
const START = 2;
const END = 3;
const FIRST_MARK = 5;
const LAST_MARK = 12;
const RUN_CHARACTERS_MAX = 40;
const CACHED_WORDS_MAX = 20_000;

export interface Encoded {
  readonly ids: readonly number[];
  /** The index of each word's first piece; -1 for a word that is only punctuation. */
  readonly places: readonly number[];
}

export class WordPiece {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #cache = new Map<string, readonly number[]>();

  constructor(vocabulary: readonly string[]) {
    this.#ids = new Map(vocabulary.map((piece, index) => [piece, index]));
  }

  split(word: string): readonly number[] {
    const known = this.#cache.get(word);
    if (known) return known;
    const pieces: number[] = [];
    for (const [match] of word.toLowerCase().replaceAll('’', "'").matchAll(RUN)) pieces.push(...this.#splitRun(match));
    if (this.#cache.size >= CACHED_WORDS_MAX) this.#cache.clear();
    this.#cache.set(word, pieces);
    return pieces;
  }

  encode(words: readonly string[]): Encoded {
    const ids = [START];
    const places: number[] = [];
    for (const word of words) {
      const pieces = this.split(word);
      const first = pieces[0];
      places.push(first === undefined || (first >= FIRST_MARK && first <= LAST_MARK) ? -1 : ids.length);
      for (const piece of pieces) ids.push(piece);
    }
    ids.push(END);
    return { ids, places };
  }

  #splitRun(match: string): number[] {
    const run = /^[-–—]/u.test(match) ? '-' : match.startsWith('..') ? '…' : match;
    const whole = this.#ids.get(run);
    if (whole !== undefined) return [whole];
    const characters = [...run];
    if (characters.length > RUN_CHARACTERS_MAX) return [UNKNOWN];
    const pieces: number[] = [];
    let start = 0;
    while (start < characters.length) {
      let end = characters.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end--) {
        id = this.#ids.get((start > 0 ? '##' : '') + characters.slice(start, end).join(''));
        if (id !== undefined) break;
      }
      if (id === undefined) return [UNKNOWN];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }
}
