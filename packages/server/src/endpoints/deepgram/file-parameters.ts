// What the query of POST /v1/listen asks for.

import type { ModelNames } from '../../calls/model-names.ts';
import {
  type DeepgramOptions,
  flagOf,
  invalid,
  oneOf,
  type Query,
  type RawAudio,
  readDeepgramOptions,
  readRawAudio,
} from './parameters.ts';

export interface ListenFileRequest extends DeepgramOptions {
  /** Null when the audio brings a container. */
  readonly raw: RawAudio | null;
  readonly paragraphs: boolean;
  /** The pause that separates utterances; null when they are not wanted. */
  readonly utteranceSplitMs: number | null;
}

const SPLIT_SECONDS_DEFAULT = 0.8;

const splitOf = (query: Query): number => {
  const text = oneOf(query, 'utt_split');
  const splitSeconds = text === undefined ? SPLIT_SECONDS_DEFAULT : Number(text);
  if (splitSeconds > 0 && splitSeconds <= 60) return 1000 * splitSeconds;
  throw invalid('utt_split', '"utt_split" must be a number of seconds above 0.');
};

export const readListenFile = (query: Query, names: ModelNames): ListenFileRequest => ({
  ...readDeepgramOptions(query, names),
  raw: readRawAudio(query),
  paragraphs: flagOf(query, 'paragraphs'),
  utteranceSplitMs: flagOf(query, 'utterances') ? splitOf(query) : null,
});
