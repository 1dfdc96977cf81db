// Byte-pair encoding by rank: tokens are in the order in which they were learnt, and earlier ones are merged first.

/** Splits text before merging: contractions, words with their leading space, numbers, symbols, spaces. */
const PIECES = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

export class BytePairs {
  readonly #tokens: readonly Uint8Array[];
  /** Token ids by their bytes, each byte as one character. */
  readonly #ranks: ReadonlyMap<string, number>;

  constructor(tokens: readonly Uint8Array[]) {
    this.#tokens = tokens;
    this.#ranks = new Map(tokens.map((bytes, rank) => [Buffer.from(bytes).toString('latin1'), rank]));
  }

  encode(text: string): number[] {
    return (text.match(PIECES) ?? []).flatMap((piece) => this.#join(piece));
  }

  /** Tokens without text are skipped. */
  decode(tokens: readonly number[]): string {
    return Buffer.concat(tokens.map((token) => this.#tokens[token] ?? new Uint8Array(0))).toString('utf8');
  }

  #join(piece: string): number[] {
    const parts = [...Buffer.from(piece, 'utf8').toString('latin1')];
    for (;;) {
      let best = Number.POSITIVE_INFINITY;
      let at = -1;
      for (let i = 0; i + 1 < parts.length; i++) {
        const rank = this.#ranks.get(parts[i]! + parts[i + 1]!) ?? Number.POSITIVE_INFINITY;
        if (rank < best) [best, at] = [rank, i];
      }
      if (at === -1) return parts.flatMap((part) => this.#ranks.get(part) ?? []);
      parts.splice(at, 2, parts[at]! + parts[at + 1]!);
    }
  }
}
