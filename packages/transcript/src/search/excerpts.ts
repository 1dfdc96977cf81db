// Finds words in a text, and quotes the text around them.

/** Characters on each side of a match. */
const AROUND = 40;

/** The offsets at which the words occur, regardless of case. */
export const occurrences = (text: string, words: string): number[] => {
  const [inside, wanted] = [text.toLowerCase(), words.trim().toLowerCase()];
  // Lower case may be longer, as for İ, and the offsets would be wrong.
  if (wanted === '' || inside.length !== text.length) return [];
  const found: number[] = [];
  for (let at = inside.indexOf(wanted); at !== -1; at = inside.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
};

/** The words with the text around them, for at most `max` occurrences. */
export const excerptsOf = (text: string, words: string, max: number): string[] =>
  occurrences(text, words)
    .slice(0, max)
    .map((at) => {
      const end = at + words.trim().length;
      // Cut between words.
      const from = at <= AROUND ? 0 : text.indexOf(' ', at - AROUND) + 1 || at;
      const to = end + AROUND >= text.length ? text.length : text.lastIndexOf(' ', end + AROUND);
      const [first, last] = [Math.min(from, at), Math.max(to, end)];
      return `${first > 0 ? '…' : ''}${text.slice(first, last).replaceAll('\n', ' ')}${last < text.length ? '…' : ''}`;
    });
