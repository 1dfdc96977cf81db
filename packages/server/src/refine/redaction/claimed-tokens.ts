// The tokens that entities cover, to tell in the time of one entity whether it overlaps any other.
interface TokenRange {
  readonly from: number;
  readonly to: number;
}

export class ClaimedTokens {
  readonly #indexes = new Set<number>();

  constructor(ranges: readonly TokenRange[] = []) {
    for (const range of ranges) this.add(range);
  }

  add({ from, to }: TokenRange): void {
    for (let index = from; index < to; index++) this.#indexes.add(index);
  }

  overlaps({ from, to }: TokenRange): boolean {
    for (let index = from; index < to; index++) if (this.#indexes.has(index)) return true;
    return false;
  }
}
