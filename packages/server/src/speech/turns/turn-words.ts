// The last words of a turn as numbers: two hashes per word. The reference is training/turns/words.py.

export const TURN_WORDS = 24;
const BUCKETS = 4_096;

/** 32-bit FNV-1a of the UTF-8 bytes. */
const fnv = (text: string): number => {
  let value = 2_166_136_261;
  for (const byte of Buffer.from(text, 'utf8')) value = Math.imul(value ^ byte, 16_777_619) >>> 0;
  return value;
};

/** Lower-case words without punctuation. */
const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^a-z0-9']+/g, ' ')
    .split(' ')
    .filter((word) => word.replaceAll("'", '') !== '');

/** The last words, right-aligned: two numbers per word, zeros where there is no word. */
export const wordIds = (text: string): BigInt64Array => {
  const words = plainWords(text).slice(-TURN_WORDS);
  const ids = new BigInt64Array(2 * TURN_WORDS);
  words.forEach((word, index) => {
    const place = 2 * (TURN_WORDS - words.length + index);
    ids[place] = BigInt(1 + (fnv(word) % (BUCKETS - 1)));
    ids[place + 1] = BigInt(1 + (fnv(`#${word}`) % (BUCKETS - 1)));
  });
  return ids;
};
