// The input of code samples, and helpers that write values in each language.
import { LIMITS } from '@faircopy/contract';
import { SERVICE_URL } from '../../../paths.ts';
import type { Options } from '../options.tsx';
import type { Recording } from '../recordings.ts';

export interface SampleContext extends Options {
  /** Whether POST /v1/transcribe accepts the file; otherwise the OpenAI-compatible endpoint does. */
  readonly isNative: boolean;
  readonly fileName: string;
}

/** The lines of a sample, by the name of its tab. */
export type Samples = Readonly<Record<string, (context: SampleContext) => readonly string[]>>;

export const url = SERVICE_URL;

const CONTRACT_FORMATS = /\.(?:wav|ogg|oga|opus|webm)$/i;
/** Other names contain characters that are special to curl or a shell. */
const PLAIN_NAME = /^[\p{L}\p{N}_.() -]+$/u;
const NAME_DEFAULT = 'voice-note.webm';

interface Limits {
  readonly formats: 'contract' | 'all';
  readonly maxDurationSeconds: number;
}

const secondsOf = ({ state, durationSeconds }: Recording): number =>
  state.name === 'answered' ? state.answer.result.duration_seconds : (durationSeconds ?? 0);

export const contextOf = (options: Options, recording: Recording | undefined, limits: Limits): SampleContext => {
  const fileName = recording && PLAIN_NAME.test(recording.name) ? recording.name : NAME_DEFAULT;
  const fits =
    !recording || (secondsOf(recording) <= limits.maxDurationSeconds && recording.audio.size <= LIMITS.fileBytesMax);
  return {
    ...(recording?.options ?? options),
    fileName,
    isNative: fits && (limits.formats === 'all' || CONTRACT_FORMATS.test(fileName)),
  };
};

export const shellText = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `'${text}'`);
export const quoted = (text: string): string => `'${text}'`;
/** Names separated by commas, as an array of strings. */
export const listText = (names: string): string => `[${names.split(',').map(quoted).join(', ')}]`;
