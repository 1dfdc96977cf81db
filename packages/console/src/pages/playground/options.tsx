// The options of a request in the playground: model, language, speakers and redaction.
import type { TranscribeOptions } from '@faircopy/client';
import { type Me, MODEL_IDS, type ModelId, parseRedaction, type RedactionName } from '@faircopy/contract';
import { Choice } from '../../components/field.tsx';
import { counted } from '../../format.ts';

/** Where the audio comes from. */
export type Input = 'file' | 'record' | 'live';

export interface Options {
  readonly model: ModelId;
  /** Empty to detect the language. */
  readonly language: string;
  /** Empty: not separated. `any`: any number. `known`: compare with known voices. Otherwise the number of speakers. */
  readonly speakers: string;
  /** Names of redactions, separated by commas. */
  readonly redact: string;
}

const TIER_NOTES: Record<ModelId, string> = {
  'svc-1.0-lite': 'lowest cost',
  'svc-1.0-pro': 'balanced',
  'svc-1.0-max': 'most accurate',
};
const LANGUAGES = 'ar ca cs de en es fa fr hi id it ja ko nl pl pt ru sv ta tr uk vi zh'.split(' ');
const names = new Intl.DisplayNames(undefined, { type: 'language' });
export const languageName = (code: string): string => names.of(code) ?? code;
const LANGUAGE_OPTIONS = [
  ['', 'Detect'] as const,
  ...LANGUAGES.map((code) => [code, languageName(code)] as const).sort((a, b) => a[1].localeCompare(b[1])),
];

const speakerOptions = (knowsVoices: boolean): readonly (readonly [string, string])[] => [
  ['', 'Do not separate'],
  ['any', 'Detect speakers'],
  ...(knowsVoices ? [['known', 'Compare with known voices'] as const] : []),
  ...[1, 2, 3, 4, 5, 6].map((count) => [String(count), counted(count, 'speaker')] as const),
];

const REDACTIONS = [
  ['', 'Nothing'],
  ['pii', 'Personal data'],
  ['pci', 'Card data'],
  ['numbers', 'All numbers'],
  ['profanity', 'Profanity'],
  ['pii,profanity', 'Personal data and profanity'],
] as const;

/** The redactions in the form that the client expects. */
export const redactionAsked = ({ redact }: Options): readonly RedactionName[] | undefined =>
  redact === '' ? undefined : (parseRedaction(redact) ?? undefined);

/** The speakers in the form that the client expects. */
export const speakersAsked = ({ speakers }: Options): TranscribeOptions['speakers'] => {
  if (speakers === '') return undefined;
  if (speakers === 'any') return true;
  return speakers === 'known' ? { knownVoices: true } : { count: Number(speakers) };
};

/** The speakers as form fields. */
export const speakerFields = ({ speakers }: Pick<Options, 'speakers'>): Readonly<Record<string, string>> => {
  if (speakers === '') return {};
  if (speakers === 'any') return { speakers: 'true' };
  return speakers === 'known'
    ? { speakers: 'true', known_voices: 'true' }
    : { speakers: 'true', num_speakers: speakers };
};

export const defaultOptions = ({ server }: Me): Options => ({
  model: server.models.at(-1) ?? 'svc-1.0-max',
  language: '',
  speakers: '',
  redact: '',
});

interface OptionsBarProps {
  readonly knowsVoices: boolean;
  readonly models: readonly ModelId[];
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

export const OptionsBar = ({ models, knowsVoices, options, onChange }: OptionsBarProps) => (
  <div class="filters options-bar">
    <Choice
      label="Model"
      value={options.model}
      onChange={(model) => onChange({ ...options, model })}
      options={MODEL_IDS.filter((id) => models.includes(id)).map((id) => [id, `${id} – ${TIER_NOTES[id]}`] as const)}
    />
    <Choice
      label="Language hint"
      value={options.language}
      onChange={(language) => onChange({ ...options, language })}
      options={LANGUAGE_OPTIONS}
    />
    <Choice
      label="Speakers"
      value={options.speakers}
      onChange={(speakers) => onChange({ ...options, speakers })}
      options={speakerOptions(knowsVoices)}
    />
    <Choice
      label="Hide"
      value={options.redact}
      onChange={(redact) => onChange({ ...options, redact })}
      options={REDACTIONS}
    />
  </div>
);
