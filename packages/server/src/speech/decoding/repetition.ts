// Detects decoder loops: repeated tokens, or text that compresses too well.
import { deflateRawSync } from 'node:zlib';

/** Longest repeated unit searched, in tokens. */
const LONGEST_UNIT = 16;

interface Loop {
  /** Tokens up to the end of the first round. */
  readonly keep: number;
  readonly rounds: number;
}

/** Repetitions that speakers produce; short units may repeat more often ("no no no"). */
const roundsAllowed = (unit: number): number => (unit === 1 ? 5 : unit <= 3 ? 4 : 3);

/** The loop at the end of the tokens, if any. */
export const findLoop = (tokens: readonly number[]): Loop | null => {
  for (let unit = 1; unit <= LONGEST_UNIT; unit++) {
    let rounds = 1;
    let start = tokens.length - unit;
    while (start - unit >= 0 && sameUnit(tokens, start - unit, start, unit)) {
      start -= unit;
      rounds++;
    }
    if (rounds > roundsAllowed(unit)) return { keep: start + unit, rounds };
  }
  return null;
};

const sameUnit = (tokens: readonly number[], a: number, b: number, length: number): boolean => {
  for (let i = 0; i < length; i++) if (tokens[a + i] !== tokens[b + i]) return false;
  return true;
};

/** Compression ratio; above about 2.4 the text repeats itself. Short texts count as 1. */
export const compressionRatio = (text: string): number => {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < 40) return 1;
  return bytes.length / deflateRawSync(bytes, { level: 6 }).length;
};
