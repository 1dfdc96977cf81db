// The query parameters of POST /v1/listen.
import type { ModelNames } from '../../../calls/model-names.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import {
  type DeepgramOptions,
  flagOf,
  oneOf,
  type Query,
  type RawAudio,
  readDeepgramOptions,
  readRawAudio,
} from '../parameters.ts';

export interface ListenFileRequest extends DeepgramOptions {
  /** Null when the audio has a container. */
  readonly raw: RawAudio | null;
  readonly paragraphs: boolean;
  /** The pause that separates utterances; null when utterances are not wanted. */
  readonly utteranceSplitMs: number | null;
}

const SPLIT_SECONDS_DEFAULT = 0.8;

const splitOf = (query: Query): number => {
  const text = oneOf(query, 'utt_split');
  const splitSeconds = text === undefined ? SPLIT_SECONDS_DEFAULT : Number(text);
  if (splitSeconds > 0 && splitSeconds <= 60) return 1000 * splitSeconds;
  throw invalidRequest('"utt_split" must be a number of seconds above 0.', 'utt_split');
};

export const readListenFile = (query: Query, names: ModelNames): ListenFileRequest => ({
  ...readDeepgramOptions(query, names, 'file'),
  raw: readRawAudio(query),
  paragraphs: flagOf(query, 'paragraphs'),
  utteranceSplitMs: flagOf(query, 'utterances') ? splitOf(query) : null,
});
