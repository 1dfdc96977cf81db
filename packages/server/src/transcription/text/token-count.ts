// Counts tokens of the o200k encoding in linear time.

/** Merging a run of letters takes quadratic time, so longer runs are cut. */
const RUN_LENGTH_MAX = 128;
const LONG_RUNS = new RegExp(
  `[\\p{L}\\p{M}\\p{N}]{${RUN_LENGTH_MAX + 1},}|[^\\s\\p{L}\\p{N}]{${RUN_LENGTH_MAX + 1},}`,
  'gu',
);

/** Parts to count separately. Only text without spaces and punctuation is cut, at about one token per cut. */
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

/** Spoken text that looks like a special token counts as plain text. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

/** Use on a worker thread: loading the tables takes most of a second and 60 MB. */
export const countTokens = async (text: string): Promise<number> => {
  if (text === '') return 0;
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  return countable(text).reduce((total, part) => total + count(part, PLAIN_TEXT), 0);
};
