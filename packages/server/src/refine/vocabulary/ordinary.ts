// Tells everyday words from rare ones: a word that a large tokenizer keeps whole is an everyday word in some language.

export type IsOrdinary = (word: string) => boolean;

/** Without the tables every word counts as ordinary, so that nothing is damaged. */
export const allOrdinary: IsOrdinary = () => true;

const CACHE_WORDS_MAX = 50_000;

let loading: Promise<IsOrdinary> | undefined;

/** The tables are large: they are loaded when the first account with terms of its own asks for them. */
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
