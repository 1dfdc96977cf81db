// What every request of the playground is made with: model and language.
import { isModelId, MODEL_IDS, type ModelId } from '@faircopy/contract';
import { Choice } from '../../parts/field.tsx';

export interface Options {
  readonly model: ModelId;
  /** Empty: the language is detected. */
  readonly language: string;
}

const TIER_NOTES: Record<ModelId, string> = {
  'svc-1.0-lite': 'lowest cost',
  'svc-1.0-pro': 'balanced',
  'svc-1.0-max': 'most accurate',
};
const LANGUAGES = [
  'ar',
  'ca',
  'cs',
  'de',
  'en',
  'es',
  'fa',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'sv',
  'ta',
  'tr',
  'uk',
  'vi',
  'zh',
];
const names = new Intl.DisplayNames(undefined, { type: 'language' });
const LANGUAGE_OPTIONS = [
  ['', 'Detect'] as const,
  ...LANGUAGES.map((code) => [code, names.of(code) ?? code] as const).sort((a, b) => a[1].localeCompare(b[1])),
];

export const languageName = (code: string): string => names.of(code) ?? code;

interface OptionsBarProps {
  readonly models: readonly ModelId[];
  readonly options: Options;
  readonly onChange: (options: Options) => void;
  readonly disabled: boolean;
}

export const OptionsBar = ({ models, options, onChange, disabled }: OptionsBarProps) => (
  <div class="filters">
    <Choice
      label="Model"
      value={options.model}
      disabled={disabled}
      onChange={(value) => isModelId(value) && onChange({ ...options, model: value })}
      options={MODEL_IDS.filter((id) => models.includes(id)).map((id) => [id, `${id} – ${TIER_NOTES[id]}`] as const)}
    />
    <Choice
      label="Language hint"
      value={options.language}
      disabled={disabled}
      onChange={(language) => onChange({ ...options, language })}
      options={LANGUAGE_OPTIONS}
    />
  </div>
);
