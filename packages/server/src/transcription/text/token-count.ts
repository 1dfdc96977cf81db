// Counts tokens of the o200k encoding, in time that grows with the text and no faster.

/** A run of letters is merged in time that grows with the square of its length; longer ones are cut. */
const RUN_LENGTH_MAX = 128;
const LONG_RUNS = new RegExp(
  `[\\p{L}\\p{M}\\p{N}]{${RUN_LENGTH_MAX + 1},}|[^\\s\\p{L}\\p{N}]{${RUN_LENGTH_MAX + 1},}`,
  'gu',
);

/** Parts that are counted one by one. Only writing without spaces and punctuation is cut, at a token or so per cut. */
const countable = (text: string): string[] => {
  const parts: string[] = [];
  let from = 0;
  for (const run of text.matchAll(LONG_RUNS)) {
    parts.push(text.slice(from, run.index));
    from = run.index + run[0].length;
    const characters = [...run[0]];
    for (let at = 0; at < characters.length; at += RUN_LENGTH_MAX) {
      parts.push(characters.slice(at, at + RUN_LENGTH_MAX).join(''));
    }
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== '');
};

/** What looks like a special token was spoken, and is text like any other. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

/** The tables take most of a second and 60 MB to load, so this is for a worker thread. */
export const countTokens = async (text: string): Promise<number> => {
  if (text === '') return 0;
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  return countable(text).reduce((total, part) => total + count(part, PLAIN_TEXT), 0);
};
