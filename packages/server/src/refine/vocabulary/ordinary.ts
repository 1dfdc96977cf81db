// Distinguishes everyday words from rare ones: an everyday word is a single token in a large tokenizer.

export type IsOrdinary = (word: string) => boolean;

/** Without the tokenizer, every word counts as ordinary, so that none is replaced by sound. */
export const allOrdinary: IsOrdinary = () => true;

const CACHE_WORDS_MAX = 50_000;

let loading: Promise<IsOrdinary> | undefined;

/** Loads the tokenizer once, on first use: its tables are large. */
export const loadOrdinary = (): Promise<IsOrdinary> => {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ encode }) => {
    const known = new Map<string, boolean>();
    return (word) => {
      const cached = known.get(word);
      if (cached !== undefined) return cached;
      const ordinary = encode(` ${word}`).length === 1;
      if (known.size >= CACHE_WORDS_MAX) known.clear();
      known.set(word, ordinary);
      return ordinary;
    };
  });
  return loading;
};
