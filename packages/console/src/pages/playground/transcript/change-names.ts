// The passes of refinement in words that say what they do.

const NAMES: Readonly<Record<string, string>> = {
  you: 'Your corrections',
  fillers: 'Fillers left out',
  repeats: 'Repeats left out',
  corrections: 'Corrections the speaker made',
  'false-starts': 'False starts left out',
  tagger: 'Slips left out',
  numbers: 'Numbers, dates and amounts',
  punctuation: 'Punctuation',
  casing: 'Capitals',
  vocabulary: 'Terms of the account',
  'spoken-commands': 'Spoken commands',
  commands: 'Spoken commands',
  lists: 'Lists',
  paragraphs: 'Paragraphs',
  artefacts: 'Noise of recognition',
  'window-joins': 'Joins between stretches',
  spacing: 'Spaces',
  addresses: 'Addresses',
};

const nameOf = (pass: string): string =>
  NAMES[pass] ?? pass.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** Several passes may have had a hand in one change. */
export const changeName = (kind: string): string =>
  kind
    .split('+')
    .map(nameOf)
    .join(', ')
    .replace(/, ./g, (joined) => joined.toLowerCase());
