// Speaker options of a request, checked the same way for every endpoint.
import { SPEAKERS_MAX } from '@faircopy/contract';
import { invalidRequest } from '../../lib/fault.ts';
import type { SpeakerOptions } from '../../transcription/transcriber.ts';

/** Speaker options of a call. */
export interface AskedSpeakers extends SpeakerOptions {
  /** Compare the speakers with the voices that the account has enrolled. */
  readonly knownVoices?: boolean | undefined;
}

/** Fields as sent; undefined when absent. */
export interface SpeakerFields {
  readonly speakers?: boolean | undefined;
  readonly num_speakers?: number | undefined;
  readonly min_speakers?: number | undefined;
  readonly max_speakers?: number | undefined;
  readonly known_voices?: boolean | undefined;
}

type SpeakerCountField = 'num_speakers' | 'min_speakers' | 'max_speakers';
export const SPEAKER_COUNT_FIELDS: readonly SpeakerCountField[] = ['num_speakers', 'min_speakers', 'max_speakers'];

export const speakerCountOf = (text: string, field: string): number => {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= SPEAKERS_MAX) return count;
  throw invalidRequest(`The field "${field}" must be a whole number from 1 to ${SPEAKERS_MAX}.`, field);
};

/** Undefined when speakers are not requested. Speaker counts and known voices imply the request. */
export const speakerOptionsOf = (fields: SpeakerFields): AskedSpeakers | undefined => {
  const { speakers, num_speakers: count, min_speakers: min, max_speakers: max, known_voices: knownVoices } = fields;
  const given = knownVoices ? 'known_voices' : SPEAKER_COUNT_FIELDS.find((field) => fields[field] !== undefined);
  if (speakers === false && given)
    throw invalidRequest(`The field "${given}" contradicts "speakers", which is false.`, given);
  if (min !== undefined && max !== undefined && min > max)
    throw invalidRequest('The field "min_speakers" is larger than "max_speakers".', 'min_speakers');
  if (count !== undefined && (count < (min ?? count) || count > (max ?? count)))
    throw invalidRequest('The field "num_speakers" contradicts "min_speakers" or "max_speakers".', 'num_speakers');
  return speakers || given ? { count, min, max, ...(knownVoices && { knownVoices }) } : undefined;
};
