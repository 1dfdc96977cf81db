// Damages a file in one of the ways files get damaged, by accident or on purpose.

type Random = () => number;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Values that parsers get wrong. */
const EDGES = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const MUTATIONS: readonly Mutation[] = [
  // a bit flipped
  (bytes, random) => {
    const at = below(random, bytes.length);
    return bytes.with(at, bytes[at]! ^ (1 << below(random, 8)));
  },
  // a byte set to an edge value
  (bytes, random) => bytes.with(below(random, bytes.length), EDGES[below(random, EDGES.length)]!),
  // a byte set at random, near the start, where the headers are
  (bytes, random) => bytes.with(below(random, Math.min(200, bytes.length)), below(random, 256)),
  // a run of edge values, as in sizes
  (bytes, random) => {
    const at = below(random, bytes.length);
    return bytes.slice().fill(EDGES[below(random, EDGES.length)]!, at, at + 1 + below(random, 8));
  },
  // the end cut off
  (bytes, random) => bytes.slice(0, below(random, bytes.length)),
  // a piece taken out
  (bytes, random) => {
    const at = below(random, bytes.length);
    return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 64)));
  },
  // a piece repeated
  (bytes, random) => {
    const at = below(random, bytes.length);
    const piece = bytes.subarray(at, at + 1 + below(random, 512));
    return joined(bytes.subarray(0, at), ...Array<Uint8Array>(1 + below(random, 8)).fill(piece), bytes.subarray(at));
  },
  // a piece of another file put in
  (bytes, random, other) => {
    const at = below(random, bytes.length);
    const from = below(random, other.length);
    return joined(bytes.subarray(0, at), other.subarray(from, from + 1 + below(random, 256)), bytes.subarray(at));
  },
];

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** A word of the format put in, or in the place of as many bytes. */
const putWord = (bytes: Uint8Array, random: Random, dictionary: readonly string[]): Uint8Array => {
  const word = Buffer.from(dictionary[below(random, dictionary.length)]!, 'latin1');
  const at = below(random, bytes.length + 1);
  return joined(bytes.subarray(0, at), word, bytes.subarray(at + (random() < 0.5 ? word.length : 0)));
};

/** One to six mutations, one after the other. */
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
