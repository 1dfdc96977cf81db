// The names of the refinement passes as the console shows them.

const NAMES: Readonly<Record<string, string>> = {
  you: 'Your corrections',
  fillers: 'Fillers removed',
  repeats: 'Repetitions removed',
  corrections: 'Self-corrections',
  'false-starts': 'False starts removed',
  tagger: 'Disfluencies removed',
  numbers: 'Numbers, dates and amounts',
  punctuation: 'Punctuation',
  casing: 'Capitals',
  vocabulary: 'Account vocabulary',
  'spoken-commands': 'Spoken commands',
  commands: 'Spoken commands',
  lists: 'Lists',
  paragraphs: 'Paragraphs',
  artefacts: 'Recognition artefacts',
  'window-joins': 'Joins between windows',
  spacing: 'Spaces',
  addresses: 'Addresses',
};

const nameOf = (pass: string): string =>
  NAMES[pass] ?? pass.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** A change may come from several passes, such as `numbers+casing`. */
export const changeName = (kind: string): string =>
  kind
    .split('+')
    .map(nameOf)
    .join(', ')
    .replace(/, ./g, (joined) => joined.toLowerCase());
