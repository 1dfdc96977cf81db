// Reads V8's coverage counters in the same thread, to find out which code has run.
import { Session } from 'node:inspector';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** A function that ran, with one byte per character of its source: 1 if the character was reached. */
export interface ReachedFunction {
  readonly key: string;
  readonly characters: Uint8Array;
}

/** Ranges are ordered from outermost to innermost, and each one overrides those around it. */
const paint = (ranges: readonly Range[]): Uint8Array => {
  const { startOffset, endOffset } = ranges[0]!;
  const characters = new Uint8Array(endOffset - startOffset);
  for (const range of ranges)
    characters.fill(range.count > 0 ? 1 : 0, range.startOffset - startOffset, range.endOffset - startOffset);
  return characters;
};

export class Coverage {
  readonly #session = new Session();
  /** Only scripts whose URL contains this are counted. */
  readonly #within: string;

  constructor(within: string) {
    this.#within = within;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns the functions that ran since the last call, and resets the counters. */
  take(): ReachedFunction[] {
    const reached: ReachedFunction[] = [];
    // In the same thread, the callback runs before `post` returns.
    this.#session.post('Profiler.takePreciseCoverage', (failure, answer) => {
      if (failure) throw failure;
      for (const { url, functions } of (answer as unknown as { result: ScriptCoverage[] }).result) {
        if (!url.includes(this.#within)) continue;
        for (const { ranges } of functions) {
          const [whole] = ranges;
          if (whole && ranges.some(({ count }) => count > 0))
            reached.push({ key: `${url}:${whole.startOffset}`, characters: paint(ranges) });
        }
      }
    });
    return reached;
  }

  close(): void {
    this.#session.disconnect();
  }
}

/** All code reached so far. */
export class ReachedCode {
  readonly #functions = new Map<string, Uint8Array>();
  /** Number of characters reached. */
  size = 0;

  hasAll(functions: readonly ReachedFunction[]): boolean {
    return functions.every(({ key, characters }) => {
      const known = this.#functions.get(key);
      if (known === undefined) return false;
      for (let at = 0; at < characters.length; at++) if (characters[at]! > known[at]!) return false;
      return true;
    });
  }

  add(functions: readonly ReachedFunction[]): void {
    for (const { key, characters } of functions) {
      const known = this.#functions.get(key) ?? new Uint8Array(characters.length);
      this.#functions.set(key, known);
      for (let at = 0; at < characters.length; at++) {
        if (characters[at] === 0 || known[at] === 1) continue;
        known[at] = 1;
        this.size += 1;
      }
    }
  }
}
