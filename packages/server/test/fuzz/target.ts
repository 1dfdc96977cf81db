// A fuzz target: a reader of untrusted bytes, with seed inputs and a check that must hold for any input.
import { Fault } from '../../src/lib/fault.ts';

export interface FuzzTarget {
  /** Inputs to start from, most of them valid. */
  readonly seeds: readonly Uint8Array[];
  /** Words of the format, inserted unchanged. */
  readonly dictionary?: readonly string[];
  /** Coverage is measured in compiled scripts whose URL contains this. */
  readonly within: string;
  /** Throws if the reader does anything other than read or refuse the input. */
  readonly run: (bytes: Uint8Array, random: () => number) => void | Promise<void>;
  /** Larger inputs are truncated, so that each run stays fast. */
  readonly bytesMax: number;
  close?(): Promise<void>;
}

/** Runs a reader that may refuse its input with a fault, but not fail otherwise. */
export const refusedOnly = (read: () => void): void => {
  try {
    read();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'INTERNAL_ERROR') throw thrown;
  }
};

/** Opens a target. `npm run fuzz` opens each in its own thread, with its own counters and caches. */
export type OpenTarget = () => Promise<FuzzTarget>;
