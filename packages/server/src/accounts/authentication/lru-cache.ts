// A bounded map that evicts the least recently used entry.

export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#sizeMax) this.#entries.delete(this.#entries.keys().next().value!);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
