// Damages files in the ways that files get damaged, by accident or on purpose.
import { concat } from '../audio/wav-writer.ts';

type Random = () => number;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Values that parsers often get wrong. */
const EDGES = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const MUTATIONS: readonly Mutation[] = [
  // Flips a bit.
  (bytes, random) => {
    const at = below(random, bytes.length);
    return bytes.with(at, bytes[at]! ^ (1 << below(random, 8)));
  },
  // Sets a byte to an edge value.
  (bytes, random) => bytes.with(below(random, bytes.length), EDGES[below(random, EDGES.length)]!),
  // Sets a random byte near the start, where the headers are.
  (bytes, random) => bytes.with(below(random, Math.min(200, bytes.length)), below(random, 256)),
  // Writes a run of edge values, which size fields may contain.
  (bytes, random) => {
    const at = below(random, bytes.length);
    return bytes.slice().fill(EDGES[below(random, EDGES.length)]!, at, at + 1 + below(random, 8));
  },
  // Cuts off the end.
  (bytes, random) => bytes.slice(0, below(random, bytes.length)),
  // Removes a piece.
  (bytes, random) => {
    const at = below(random, bytes.length);
    return concat(bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 64)));
  },
  // Repeats a piece.
  (bytes, random) => {
    const at = below(random, bytes.length);
    const piece = bytes.subarray(at, at + 1 + below(random, 512));
    return concat(bytes.subarray(0, at), ...Array<Uint8Array>(1 + below(random, 8)).fill(piece), bytes.subarray(at));
  },
  // Inserts a piece of another file.
  (bytes, random, other) => {
    const at = below(random, bytes.length);
    const from = below(random, other.length);
    return concat(bytes.subarray(0, at), other.subarray(from, from + 1 + below(random, 256)), bytes.subarray(at));
  },
];

/** Inserts a word of the format, or overwrites as many bytes with it. */
const putWord = (bytes: Uint8Array, random: Random, dictionary: readonly string[]): Uint8Array => {
  const word = Buffer.from(dictionary[below(random, dictionary.length)]!, 'latin1');
  const at = below(random, bytes.length + 1);
  return concat(bytes.subarray(0, at), word, bytes.subarray(at + (random() < 0.5 ? word.length : 0)));
};

/** Applies one to six mutations in sequence. */
export const mutate = (
  bytes: Uint8Array,
  random: Random,
  other: Uint8Array,
  dictionary: readonly string[] = [],
): Uint8Array => {
  let result = bytes;
  for (let left = 1 + below(random, 6); left > 0 && result.length > 0; left--) {
    if (dictionary.length > 0 && random() < 0.3) result = putWord(result, random, dictionary);
    else result = MUTATIONS[below(random, MUTATIONS.length)]!(result, random, other);
  }
  return result;
};
