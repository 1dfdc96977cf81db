// What can be fuzzed: a reader of bytes from outside, with inputs to start from and what must hold for any input.

export interface FuzzTarget {
  readonly name: string;
  /** Inputs to begin with, most of them good. */
  readonly seeds: readonly Uint8Array[];
  /** Words of its format, put in as they are. */
  readonly dictionary?: readonly string[];
  /** Part of the address of the compiled scripts whose coverage guides. */
  readonly within: string;
  /** Throws when the reader does anything but read or refuse. */
  readonly run: (bytes: Uint8Array, random: () => number) => void | Promise<void>;
  /** Larger inputs are cut, so that each stays quick. */
  readonly bytesMax: number;
  close?(): Promise<void>;
}

/** Opens a target by its name; each in a thread of its own, where counters and caches are its own too. */
export type OpenTarget = () => Promise<FuzzTarget>;
