// The fields of OpenAI's audio forms. Those without effect are answered with a warning.
import { type ModelId, type RedactionName, TAGS_MAX, type Term } from '@faircopy/contract';
import type { SpeechTask } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { profanityFilter, redactionOf } from '../../../calls/redaction-names.ts';
import { readTags } from '../../../calls/request-tags.ts';
import { checkTerms, REQUEST_TERMS, requestTerm } from '../../../calls/request-vocabulary.ts';
import {
  SPEAKER_COUNT_FIELDS,
  type SpeakerFields,
  speakerCountOf,
  speakerOptionsOf,
} from '../../../calls/speakers/speaker-options.ts';
import { channelNamesOf, splitChannelsOf, splitOf } from '../../../calls/speakers/split-channels.ts';
import { Fault, invalidRequest } from '../../../lib/fault.ts';
import { languageCode, languagesOf } from '../../../lib/language-names.ts';
import type { FileRequest, FileValues } from '../../../transport/http/upload/file-endpoint.ts';
import type { FieldRule, FormShape } from '../../../transport/http/upload/upload-form.ts';
import {
  KNOWN_SPEAKERS_MAX,
  type KnownSpeakers,
  NAMES_FIELD,
  REFERENCE_BYTES_MAX,
  REFERENCES_FIELD,
  withName,
  withReference,
} from './known-speakers.ts';
import { withWarning } from './options.ts';
import { termsOfPrompt } from './prompt-terms.ts';

const RESPONSE_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

const GRANULARITIES = ['word', 'segment'] as const;
const INCLUDES = ['logprobs'] as const;

interface OpenAiValues extends FileValues {
  readonly language: string | undefined;
  readonly languages: readonly string[];
  readonly keywords: readonly Term[];
  readonly promptTerms: readonly Term[];
  readonly redact: readonly RedactionName[];
  readonly format: ResponseFormat;
  readonly granularities: readonly (typeof GRANULARITIES)[number][];
  readonly include: readonly (typeof INCLUDES)[number][];
  readonly isStreamed: boolean;
  readonly warnings: readonly string[];
  /** Whether the request names OpenAI's diarisation model. */
  readonly isDiarizer: boolean;
  readonly known: KnownSpeakers | undefined;
  readonly asked: SpeakerFields;
  readonly isSplit: boolean | undefined;
  readonly channelNames: readonly string[];
  readonly tags: readonly string[];
}

export interface OpenAiRequest extends FileRequest {
  readonly warnings: readonly string[];
  readonly format: ResponseFormat;
  readonly isStreamed: boolean;
  readonly wantSegments: boolean;
  readonly wantWords: boolean;
  readonly wantLogProbabilities: boolean;
  /** The people whose reference voices are in the request. */
  readonly known: KnownSpeakers | undefined;
}

const PROMPT_BYTES_MAX = 64 * 1024;
const LIST_MAX = 64;
/** Room for clips of known speakers. */
const AROUND_FILE_BYTES_MAX = 6 * 1024 * 1024;

/** A list is sent as repeated parts or as one comma-separated part. */
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');

const knownOf = <Name extends string>(part: string, text: string, known: readonly Name[]): Name[] => {
  const values = listOf(text);
  if (values.every((value) => (known as readonly string[]).includes(value))) return values as Name[];
  throw invalidRequest(`"${part}" may contain ${known.join(', ')}.`, part);
};

const formatOf = (text: string): ResponseFormat => {
  const format = text.trim() || 'json';
  if ((RESPONSE_FORMATS as readonly string[]).includes(format)) return format as ResponseFormat;
  throw invalidRequest(`"response_format" must be one of ${RESPONSE_FORMATS.join(', ')}.`, 'response_format');
};

const flagOf = (name: string, text: string): boolean => {
  const value = text.trim().toLowerCase();
  if (['', 'false', '0', 'null'].includes(value)) return false;
  if (['true', '1'].includes(value)) return true;
  throw invalidRequest(`"${name}" must be true or false.`, name);
};

/** Whether a temperature above 0 was requested, which has no effect, since decoding is deterministic. */
const hasTemperature = (text: string): boolean => {
  const value = Number(text);
  if (text.trim() !== '' && !(value >= 0 && value <= 1))
    throw invalidRequest('"temperature" must be from 0 to 1.', 'temperature');
  return value > 0;
};

const missingModel = (): Fault => invalidRequest('The part "model" is missing.', 'model');

const modelOf = (text: string, names: ModelNames): ModelId => {
  if (text.trim() === '') throw missingModel();
  const tier = names.tierOf(text);
  if (tier !== null) return tier;
  const message = 'The model is not known here. GET /v1/models lists the models.';
  throw new Fault('NOT_FOUND', { message, parameter: 'model' });
};

/** Formats that show speakers when the diarisation model is named. */
const DIARIZED_FORMATS: readonly ResponseFormat[] = ['srt', 'vtt'];
const KNOWN_VOICES_FIELD = 'known_voices';
const DIARIZER = /^gpt-4o-transcribe-diarize/;

const fieldsOf = (names: ModelNames): readonly FieldRule<OpenAiValues>[] => [
  { name: 'model', parse: (text) => ({ model: modelOf(text, names), isDiarizer: DIARIZER.test(text.trim()) }) },
  {
    name: 'language',
    parse: (text) => ({ language: text === '' ? undefined : languageCode(text) }),
  },
  {
    name: 'languages',
    countMax: LIST_MAX,
    parse: (text, { languages }) => ({ languages: [...languages, ...languagesOf(text)] }),
  },
  {
    name: 'keywords',
    countMax: REQUEST_TERMS.countMax,
    parse: (text, { keywords }) => ({ keywords: [...keywords, requestTerm(text, 'keywords')] }),
  },
  { name: 'prompt', bytesMax: PROMPT_BYTES_MAX, parse: (text) => ({ promptTerms: termsOfPrompt(text) }) },
  { name: 'response_format', parse: (text) => ({ format: formatOf(text) }) },
  {
    name: 'temperature',
    parse: (text, { warnings }) => (hasTemperature(text) ? { warnings: withWarning(warnings, 'temperature') } : {}),
  },
  {
    name: 'timestamp_granularities',
    countMax: LIST_MAX,
    parse: (text, { granularities }) => ({
      granularities: [...granularities, ...knownOf('timestamp_granularities', text, GRANULARITIES)],
    }),
  },
  {
    name: 'include',
    countMax: LIST_MAX,
    parse: (text, { include }) => ({ include: [...include, ...knownOf('include', text, INCLUDES)] }),
  },
  { name: 'stream', parse: (text) => ({ isStreamed: flagOf('stream', text) }) },
  {
    name: 'chunking_strategy',
    countMax: LIST_MAX,
    parse: (text, { warnings }) =>
      /^"?auto"?$/.test(text.trim()) ? {} : { warnings: withWarning(warnings, 'chunking_strategy') },
  },
  // Extensions: the account's known voices, speaker counts, redaction, tags and separate channels.
  {
    name: KNOWN_VOICES_FIELD,
    parse: (text, { asked }) => ({ asked: { ...asked, known_voices: flagOf(KNOWN_VOICES_FIELD, text) } }),
  },
  ...SPEAKER_COUNT_FIELDS.map((name) => ({
    name,
    parse: (text: string, { asked }: OpenAiValues) => ({ asked: { ...asked, [name]: speakerCountOf(text, name) } }),
  })),
  {
    name: 'redact',
    countMax: LIST_MAX,
    parse: (text, { redact }) => ({ redact: [...redact, ...redactionOf(text)] }),
  },
  {
    name: 'profanity_filter',
    parse: (text, { redact }) => ({ redact: [...redact, ...profanityFilter(flagOf('profanity_filter', text))] }),
  },
  { name: 'tag', countMax: TAGS_MAX, parse: (text, { tags }) => ({ tags: readTags([...tags, text]) }) },
  { name: 'channels', parse: (text) => ({ isSplit: splitOf(text.trim()) }) },
  { name: 'channel_names', parse: (text) => ({ channelNames: channelNamesOf(text) }) },
  { name: NAMES_FIELD, countMax: KNOWN_SPEAKERS_MAX, parse: (text, { known }) => ({ known: withName(known, text) }) },
  {
    name: REFERENCES_FIELD,
    countMax: KNOWN_SPEAKERS_MAX,
    bytesMax: REFERENCE_BYTES_MAX,
    parse: (text, { known }) => ({ known: withReference(known, text) }),
  },
];

/** Lists are repeated parts named `x[]`, which many clients send without the brackets; objects are `x[key]`. */
export const openAiForm = (names: ModelNames, fileBytesMax: number): FormShape<OpenAiValues> => {
  const fields = fieldsOf(names);
  return {
    filePart: 'file',
    aroundFileBytesMax: AROUND_FILE_BYTES_MAX,
    fileBytesMax,
    initial: {
      model: undefined,
      language: undefined,
      languages: [],
      keywords: [],
      promptTerms: [],
      redact: [],
      format: 'json',
      granularities: [],
      include: [],
      isStreamed: false,
      warnings: [],
      isDiarizer: false,
      known: undefined,
      asked: {},
      isSplit: undefined,
      channelNames: [],
      tags: [],
    },
    field: (partName) => {
      const [, name, key] = /^([a-z_]+)(?:\[(\w*)\])?$/.exec(partName) ?? [];
      const rule = fields.find((each) => each.name === name);
      return rule && (key === undefined || rule.countMax !== undefined) ? rule : null;
    },
    onSkipped: (partName, { warnings }) => ({ warnings: withWarning(warnings, partName) }),
    checkFile: (firstBytes) =>
      /^(https?:\/\/|data:)/i.test(firstBytes.toString('latin1', 0, 16))
        ? 'The part "file" must be the audio itself: URLs are not fetched, and data URLs are not read.'
        : null,
  };
};

/** Warns about speaker names and counts, which have no effect without speakers. */
const withoutSpeakers = ({ known, asked, warnings }: OpenAiValues): readonly string[] =>
  [...(known ? [NAMES_FIELD] : []), ...Object.keys(asked)].reduce(withWarning, warnings);

export const openAiRequestOf = (values: OpenAiValues, task: SpeechTask): OpenAiRequest => {
  const { model, format, granularities, isStreamed, known } = values;
  if (model === undefined) throw missingModel();
  const isTranslation = task === 'translate';
  const split = splitChannelsOf(values.isSplit, values.channelNames);
  if (split && isStreamed) throw invalidRequest('"channels=split" cannot be streamed.', 'stream');
  const isDiarized = format === 'diarized_json' || (values.isDiarizer && DIARIZED_FORMATS.includes(format));
  if (isDiarized && isTranslation) throw invalidRequest('Translations have no speakers.', 'response_format');
  const asked = speakerOptionsOf(values.asked);
  if (known && asked?.knownVoices)
    throw invalidRequest(`"${KNOWN_VOICES_FIELD}" and "${NAMES_FIELD}" exclude each other.`, KNOWN_VOICES_FIELD);
  const wantLogProbabilities = !isTranslation && format === 'json' && values.include.includes('logprobs');
  return {
    transcription: {
      model,
      languageHint: values.language,
      ...(values.languages.length > 0 && { languages: values.languages }),
      task,
      // Segments and subtitles are cut at word times. Words of a translation have no times.
      wantWordTimes: !isTranslation && !isStreamed && (wantLogProbabilities || !['json', 'text'].includes(format)),
      redact: values.redact,
      ...(values.tags.length > 0 && { tags: values.tags }),
      vocabulary: [...checkTerms(values.keywords, 'keywords'), ...values.promptTerms],
      ...(isDiarized && !split && { speakers: { ...asked, ...(known && { names: known.voices.names }) } }),
    },
    format,
    isStreamed,
    warnings: isDiarized ? values.warnings : withoutSpeakers(values),
    wantSegments: granularities.length === 0 || granularities.includes('segment'),
    wantWords: !isTranslation && format === 'verbose_json' && granularities.includes('word'),
    wantLogProbabilities,
    known: isDiarized && !split ? known : undefined,
    split,
  };
};
