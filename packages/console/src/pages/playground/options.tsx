// The options of a request in the playground: model and language.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { Choice } from '../../components/field.tsx';

/** Where the audio comes from. */
export type Input = 'file' | 'record' | 'live';

export interface Options {
  readonly model: ModelId;
  /** Empty to detect the language. */
  readonly language: string;
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

interface OptionsBarProps {
  readonly models: readonly ModelId[];
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

export const OptionsBar = ({ models, options, onChange }: OptionsBarProps) => (
  <div class="filters">
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
  </div>
);
