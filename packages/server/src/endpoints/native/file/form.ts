// The fields of POST /v1/transcribe.
import {
  type Include,
  isModelId,
  isRefineLevel,
  MODEL_IDS,
  type ModelId,
  parseInclude,
  REFINE_LEVELS,
  type RedactionName,
  type RefineLevel,
  TAGS_MAX,
  type Term,
} from '@faircopy/contract';
import { profanityFilter, redactionOf } from '../../../calls/redaction-names.ts';
import { readTags } from '../../../calls/request-tags.ts';
import { checkTerms, REQUEST_TERMS, requestTerm } from '../../../calls/request-vocabulary.ts';
import {
  SPEAKER_COUNT_FIELDS,
  type SpeakerFields,
  speakerCountOf,
  speakerOptionsOf,
} from '../../../calls/speakers/speaker-options.ts';
import { channelNamesOf, refuseRawAndEdits, splitChannelsOf, splitOf } from '../../../calls/speakers/split-channels.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import { languagesOf } from '../../../lib/language-names.ts';
import type { FileRequest, FileValues } from '../../../transport/http/upload/file-endpoint.ts';
import { booleanFieldOf, type FieldRule, type FormShape } from '../../../transport/http/upload/upload-form.ts';

export interface TranscribeValues extends FileValues {
  readonly language: string | undefined;
  readonly languages: readonly string[];
  readonly include: ReadonlySet<Include>;
  readonly refinement: RefineLevel | undefined;
  readonly redact: readonly RedactionName[];
  readonly vocabulary: readonly Term[];
  readonly asked: SpeakerFields;
  readonly isSplit: boolean | undefined;
  readonly channelNames: readonly string[];
  readonly tags: readonly string[];
}

export interface TranscribeRequest extends FileRequest {
  readonly include: ReadonlySet<Include>;
}

const MODELS = MODEL_IDS.join(', ');

const modelOf = (text: string): ModelId => {
  if (isModelId(text)) return text;
  throw invalidRequest(`The field "model" must be one of ${MODELS}.`, 'model');
};

const includeOf = (text: string): ReadonlySet<Include> => {
  const include = parseInclude(text);
  if (include !== null) return include;
  throw invalidRequest('The field "include" may name segments, words, raw, edits and terms.', 'include');
};

const refinementOf = (text: string): RefineLevel | undefined => {
  if (text === '') return undefined;
  if (isRefineLevel(text)) return text;
  throw invalidRequest(`The field "refine" must be one of ${REFINE_LEVELS.join(', ')}.`, 'refine');
};

const LIST_FIELDS_MAX = 32;

const FIELDS: readonly FieldRule<TranscribeValues>[] = [
  { name: 'model', parse: (text) => ({ model: modelOf(text) }) },
  { name: 'language', parse: (text) => ({ language: text || undefined }) },
  {
    name: 'languages',
    countMax: LIST_FIELDS_MAX,
    parse: (text, { languages }) => ({ languages: [...languages, ...languagesOf(text)] }),
  },
  { name: 'include', parse: (text) => ({ include: includeOf(text) }) },
  { name: 'refine', parse: (text) => ({ refinement: refinementOf(text) }) },
  {
    name: 'redact',
    countMax: LIST_FIELDS_MAX,
    parse: (text, { redact }) => ({ redact: [...redact, ...redactionOf(text)] }),
  },
  {
    name: 'profanity_filter',
    parse: (text, { redact }) => ({
      redact: [...redact, ...profanityFilter(booleanFieldOf(text, 'profanity_filter'))],
    }),
  },
  {
    name: 'vocabulary',
    countMax: REQUEST_TERMS.countMax,
    parse: (text, { vocabulary }) => ({ vocabulary: [...vocabulary, requestTerm(text, 'vocabulary')] }),
  },
  {
    name: 'speakers',
    parse: (text, { asked }) => ({ asked: { ...asked, speakers: booleanFieldOf(text, 'speakers') } }),
  },
  {
    name: 'known_voices',
    parse: (text, { asked }) => ({ asked: { ...asked, known_voices: booleanFieldOf(text, 'known_voices') } }),
  },
  {
    name: 'tag',
    countMax: TAGS_MAX,
    parse: (text, { tags }) => ({ tags: readTags([...tags, text]) }),
  },
  { name: 'channels', parse: (text) => ({ isSplit: splitOf(text) }) },
  { name: 'channel_names', parse: (text) => ({ channelNames: channelNamesOf(text) }) },
  ...SPEAKER_COUNT_FIELDS.map((name) => ({
    name,
    parse: (text: string, { asked }: TranscribeValues) => ({
      asked: { ...asked, [name]: speakerCountOf(text, name) },
    }),
  })),
];

export const TRANSCRIBE_FORM: FormShape<TranscribeValues> = {
  filePart: 'audio',
  initial: {
    model: undefined,
    language: undefined,
    languages: [],
    include: new Set(),
    refinement: undefined,
    redact: [],
    vocabulary: [],
    asked: {},
    isSplit: undefined,
    channelNames: [],
    tags: [],
  },
  field: (partName) => FIELDS.find(({ name }) => name === partName) ?? null,
};

export const transcribeRequestOf = (values: TranscribeValues): TranscribeRequest => {
  const { model, language, include, refinement, vocabulary, asked, isSplit, channelNames, tags } = values;
  const split = splitChannelsOf(isSplit, channelNames);
  if (split) refuseRawAndEdits(include);
  const speakers = speakerOptionsOf(asked);
  if (model === undefined) throw invalidRequest(`The field "model" is missing. It must be one of ${MODELS}.`, 'model');
  return {
    transcription: {
      model,
      languageHint: language,
      wantWordTimes: include.has('words'),
      refinement,
      ...(values.languages.length > 0 && { languages: values.languages }),
      redact: values.redact,
      vocabulary: checkTerms(vocabulary, 'vocabulary'),
      ...(tags.length > 0 && { tags }),
      // Each channel is a speaker.
      ...(speakers && !split && { speakers }),
    },
    include,
    split,
  };
};
