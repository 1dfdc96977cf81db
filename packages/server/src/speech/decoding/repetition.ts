// Detects decoder loops: repeated tokens, or text that compresses too well.
import { deflateRawSync } from 'node:zlib';

/** Longest repeated unit searched, in tokens. */
const LONGEST_UNIT = 16;

interface Loop {
  /** Tokens before the loop. */
  readonly before: number;
  /** Tokens up to the end of the first round. */
  readonly keep: number;
}

/** Repetitions that speakers produce; short units may repeat more often ("no no no"). */
const roundsAllowed = (unit: number): number => (unit === 1 ? 5 : unit <= 3 ? 4 : 3);
/** Digits of a card or account number: "4111 1111 1111 1111" has fifteen in a row. */
const DIGIT_ROUNDS_ALLOWED = 16;
const DIGITS = /^(?:[\d\s,.-]|zero|oh|one|two|three|four|five|six|seven|eight|nine)+$/iu;

/** The loop at the end of the tokens, if any. `textOf` identifies digits, which may repeat more often than words. */
export const findLoop = (
  tokens: readonly number[],
  textOf: (tokens: readonly number[]) => string = () => '',
): Loop | null => {
  for (let unit = 1; unit <= LONGEST_UNIT; unit++) {
    let rounds = 1;
    let start = tokens.length - unit;
    while (start - unit >= 0 && sameUnit(tokens, start - unit, start, unit)) {
      start -= unit;
      rounds++;
    }
    if (rounds <= roundsAllowed(unit)) continue;
    const isNumber = rounds <= DIGIT_ROUNDS_ALLOWED && DIGITS.test(textOf(tokens.slice(start, start + unit)));
    if (!isNumber) return { before: start, keep: start + unit };
  }
  return null;
};

const sameUnit = (tokens: readonly number[], a: number, b: number, length: number): boolean => {
  for (let i = 0; i < length; i++) if (tokens[a + i] !== tokens[b + i]) return false;
  return true;
};

const COMPRESSION_MAX = 2.4;
const COMPRESSED_BYTES_MIN = 40;

/** Whether a text compresses too well to be speech. Short texts do not count. */
export const isRepetitive = (text: string): boolean => {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < COMPRESSED_BYTES_MIN) return false;
  return bytes.length / deflateRawSync(bytes, { level: 6 }).length > COMPRESSION_MAX;
};
