// Every field of OpenAI's audio forms, and how this server handles it. docs/openai.md has the same table.

/** yes: supported. ignored: gives a warning. */
export type Support = 'yes' | 'ignored';

export const OPENAI_FIELDS: Readonly<Record<string, Support>> = {
  chunking_strategy: 'ignored',
  file: 'yes',
  include: 'yes',
  keywords: 'yes',
  known_speaker_names: 'yes',
  known_speaker_references: 'yes',
  language: 'yes',
  languages: 'yes',
  model: 'yes',
  prompt: 'yes',
  response_format: 'yes',
  stream: 'yes',
  temperature: 'ignored',
  timestamp_granularities: 'yes',
};

/** Fields that OpenAI does not have. */
const EXTENSIONS = new Set([
  'channels',
  'channel_names',
  'known_voices',
  'num_speakers',
  'min_speakers',
  'max_speakers',
]);

const WARNINGS_MAX = 16;
const NAME_CHARACTERS_MAX = 64;

/** Adds a warning about a field that has no effect. */
export const withWarning = (warnings: readonly string[], field: string): readonly string[] => {
  const name = field
    .replace(/\[.*$/s, '')
    .replace(/[^\x21-\x7e]/g, '?')
    .slice(0, NAME_CHARACTERS_MAX);
  const isKnown = Object.hasOwn(OPENAI_FIELDS, name) || EXTENSIONS.has(name);
  const warning = isKnown ? `"${name}" has no effect here.` : `"${name}" is not known here and was ignored.`;
  return warnings.includes(warning) || warnings.length >= WARNINGS_MAX ? warnings : [...warnings, warning];
};

/** The header that carries the warnings in every response format. */
export const warningHeaders = (warnings: readonly string[]): Record<string, string> =>
  warnings.length === 0 ? {} : { 'x-faircopy-warnings': warnings.join(' ') };
