// The fields of POST /v1/transcribe, and what they ask for.
import { type Include, isModelId, isRefineLevel, MODEL_IDS, parseInclude, REFINE_LEVELS } from '@faircopy/contract';
import type { TranscriptionOptions } from '../../calls/call.ts';
import { cleanTerm, REQUEST_TERMS } from '../../calls/request-vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import type { FieldRule, FormFields, FormShape } from '../../transport/http/upload/upload-form.ts';

const FIELDS: readonly FieldRule[] = [
  { name: 'model' },
  { name: 'language' },
  { name: 'include' },
  { name: 'refine' },
  { name: 'vocabulary', countMax: REQUEST_TERMS.countMax },
];

export const TRANSCRIBE_FORM: FormShape = {
  filePart: 'audio',
  field: (partName) => FIELDS.find(({ name }) => name === partName) ?? null,
};

export interface TranscribeRequest {
  readonly transcription: TranscriptionOptions;
  readonly include: ReadonlySet<Include>;
}

const invalid = (message: string, parameter: string) => new Fault('INVALID_REQUEST', { message, parameter });

const termOf = (text: string): string => {
  const term = cleanTerm(text);
  if (term !== null) return term;
  throw invalid(`A term in "vocabulary" has from 1 to ${REQUEST_TERMS.charactersMax} characters.`, 'vocabulary');
};

/** What the fields ask for, or the fault that says what is wrong with them. */
export const readTranscribeRequest = (fields: FormFields): TranscribeRequest => {
  const models = MODEL_IDS.join(', ');
  const model = fields.get('model');
  if (model === undefined) throw invalid(`The field "model" is missing. It is one of ${models}.`, 'model');
  if (!isModelId(model)) throw invalid(`The field "model" must be one of ${models}.`, 'model');
  const include = parseInclude(fields.get('include'));
  if (include === null) throw invalid('The field "include" may name segments, words, raw and edits.', 'include');
  const refinement = fields.get('refine') || undefined;
  if (refinement !== undefined && !isRefineLevel(refinement))
    throw invalid(`The field "refine" must be one of ${REFINE_LEVELS.join(', ')}.`, 'refine');
  return {
    transcription: {
      model,
      languageHint: fields.get('language') || undefined,
      wantWordTimes: include.has('words'),
      refinement,
      vocabulary: fields.all('vocabulary').map(termOf),
    },
    include,
  };
};
