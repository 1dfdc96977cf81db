// The parts of OpenAI's audio forms, and what they ask for. Unknown parts are skipped, as OpenAI does.
import type { ModelId } from '@faircopy/contract';
import type { SpeechTask } from '../../calls/call.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import { cleanTerm, REQUEST_TERMS } from '../../calls/request-vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import { languageCode } from '../../lib/language-names.ts';
import type { FileRequest } from '../../transport/http/upload/file-endpoint.ts';
import type { FieldRule, FormFields, FormShape } from '../../transport/http/upload/upload-form.ts';
import { termsOfPrompt } from './prompt-terms.ts';

export const RESPONSE_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

export interface OpenAiRequest extends FileRequest {
  readonly format: ResponseFormat;
  readonly isStreamed: boolean;
  readonly wantSegments: boolean;
  readonly wantWords: boolean;
  readonly wantLogProbabilities: boolean;
}

const PROMPT_BYTES_MAX = 64 * 1024;
const LIST_MAX = 64;

const FIELDS: readonly FieldRule[] = [
  { name: 'model' },
  { name: 'language' },
  { name: 'languages', countMax: LIST_MAX },
  { name: 'keywords', countMax: REQUEST_TERMS.countMax },
  { name: 'prompt', bytesMax: PROMPT_BYTES_MAX },
  { name: 'response_format' },
  { name: 'temperature' },
  { name: 'timestamp_granularities', countMax: LIST_MAX },
  { name: 'include', countMax: LIST_MAX },
  { name: 'stream' },
  { name: 'chunking_strategy', countMax: LIST_MAX },
];

/** Lists come as repeated parts named `x[]`, and from many a hand without the brackets; objects as `x[key]`. */
export const OPENAI_FORM: FormShape = {
  filePart: 'file',
  field: (partName) => {
    const [, name, key] = /^([a-z_]+)(?:\[(\w*)\])?$/.exec(partName) ?? [];
    const rule = FIELDS.find((each) => each.name === name);
    if (!rule || (key !== undefined && rule.countMax === undefined)) return null;
    return rule;
  },
  checkFile: (firstBytes) =>
    /^(https?:\/\/|data:)/i.test(firstBytes.toString('latin1', 0, 16))
      ? 'The part "file" must be the audio itself: addresses are not fetched, and data URLs are not read.'
      : null,
};

const invalid = (parameter: string, message: string) => new Fault('INVALID_REQUEST', { message, parameter });

/** The values of a list, which may also come in one part with commas between them. */
const listOf = (fields: FormFields, name: string): string[] =>
  fields
    .all(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');

const allOf = <Name extends string>(fields: FormFields, part: string, known: readonly Name[]): ReadonlySet<Name> => {
  const values = listOf(fields, part);
  const unknown = values.find((value) => !(known as readonly string[]).includes(value));
  if (unknown !== undefined) throw invalid(part, `"${part}" may hold ${known.join(', ')}.`);
  return new Set(values as Name[]);
};

const formatOf = (fields: FormFields): ResponseFormat => {
  const format = fields.get('response_format')?.trim() || 'json';
  if ((RESPONSE_FORMATS as readonly string[]).includes(format)) return format as ResponseFormat;
  const reason = format === 'diarized_json' ? 'Speakers are not told apart here. ' : '';
  throw invalid('response_format', `${reason}"response_format" must be one of ${RESPONSE_FORMATS.join(', ')}.`);
};

const flagOf = (fields: FormFields, name: string): boolean => {
  const value = fields.get(name)?.trim().toLowerCase() ?? '';
  if (['', 'false', '0', 'null'].includes(value)) return false;
  if (['true', '1'].includes(value)) return true;
  throw invalid(name, `"${name}" must be true or false.`);
};

/** Checked and then left alone: decoding here is not random. */
const checkTemperature = (fields: FormFields): void => {
  const text = fields.get('temperature')?.trim() ?? '';
  const value = Number(text);
  if (text !== '' && !(value >= 0 && value <= 1)) throw invalid('temperature', '"temperature" must be from 0 to 1.');
};

const languageOf = (fields: FormFields): string | undefined => {
  const candidates = [fields.get('language') ?? '', ...listOf(fields, 'languages')].filter((each) => each !== '');
  const codes = new Set(candidates.map(languageCode));
  // The hint is for one language; of several candidates the audio has to tell.
  return codes.size === 1 ? [...codes][0] : undefined;
};

const vocabularyOf = (fields: FormFields): string[] => {
  const keywords = fields.all('keywords').map(cleanTerm);
  if (keywords.includes(null))
    throw invalid('keywords', `An entry of "keywords" has from 1 to ${REQUEST_TERMS.charactersMax} characters.`);
  const terms = [...(keywords as string[]), ...termsOfPrompt(fields.get('prompt') ?? '')];
  return [...new Set(terms)].slice(0, REQUEST_TERMS.countMax);
};

const tierOf = (fields: FormFields, names: ModelNames): ModelId => {
  const name = fields.get('model');
  if (name === undefined || name.trim() === '') throw invalid('model', 'The part "model" is missing.');
  const tier = names.tierOf(name);
  if (tier !== null) return tier;
  const message = `The model is not known here. GET /v1/models lists those that are.`;
  throw new Fault('NOT_FOUND', { message, parameter: 'model' });
};

/** What the parts ask for, or the fault that says which one is wrong. */
export const readOpenAiRequest = (fields: FormFields, names: ModelNames, task: SpeechTask): OpenAiRequest => {
  const model = tierOf(fields, names);
  const format = formatOf(fields);
  checkTemperature(fields);
  const granularities = allOf(fields, 'timestamp_granularities', ['word', 'segment']);
  const include = allOf(fields, 'include', ['logprobs']);
  const isTranslation = task === 'translate';
  const wantWords = !isTranslation && format === 'verbose_json' && granularities.has('word');
  const wantLogProbabilities = !isTranslation && format === 'json' && include.has('logprobs');
  const isStreamed = flagOf(fields, 'stream');
  return {
    transcription: {
      model,
      languageHint: languageOf(fields),
      task,
      // Segments and subtitles are cut by the times of words; those of a translation have none.
      wantWordTimes: !isTranslation && !isStreamed && (wantLogProbabilities || !['json', 'text'].includes(format)),
      vocabulary: vocabularyOf(fields),
    },
    format,
    isStreamed,
    wantSegments: granularities.size === 0 || granularities.has('segment'),
    wantWords,
    wantLogProbabilities,
  };
};
