// Options of the client and its calls.
import type { Include, ModelId, RedactionName } from '@faircopy/contract';
import type { LiveEvent } from './live-events.ts';
import type { TurnEvent } from './turn-events.ts';

export interface FaircopyOptions {
  /** The address of the service, such as `https://speech.example.com` or `http://localhost:8080`. */
  readonly baseUrl: string | URL | undefined;
  /** Accepts undefined so that an environment variable can be passed; the constructor throws if it is not set. */
  readonly apiKey: string | undefined;
  /** How many times to retry a call that fails with a retryable error. Default 2. */
  readonly retries?: number;
}

interface CallOptions {
  /** Default `svc-1.0-max`, the recommended model. */
  readonly model?: ModelId | undefined;
  /** ISO 639-1 hint. Without one, or with an unknown one, the language is detected. */
  readonly language?: string | undefined;
  /** ISO 639-1 codes of the languages that may be spoken. Detection chooses among them. */
  readonly languages?: readonly string[] | undefined;
  /** What to return besides the transcript. */
  readonly include?: readonly Include[];
  /** Personal data to hide. */
  readonly redact?: readonly RedactionName[] | undefined;
  /** Whether to separate speakers, optionally with limits on their number. */
  readonly speakers?: boolean | SpeakerLimits | undefined;
  /** Transcribes each channel separately, as a speaker with this name. Streams need `channels: 2`. Each is billed. */
  readonly channelNames?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
}

export interface SpeakerLimits {
  readonly count?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Compare the speakers with the voices that the account has enrolled. */
  readonly knownVoices?: boolean | undefined;
}

/** The request fields that ask for speakers. */
export const speakerFields = (speakers: boolean | SpeakerLimits | undefined): Record<string, string> => {
  if (!speakers) return {};
  const { count, min, max, knownVoices } = speakers === true ? ({} as SpeakerLimits) : speakers;
  const counts = { num_speakers: count, min_speakers: min, max_speakers: max, known_voices: knownVoices || undefined };
  const given = Object.entries(counts).filter(([, value]) => value !== undefined);
  return { speakers: 'true', ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) };
};

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface TranscribeOptions extends CallOptions {
  /** Terms that are likely in this recording, in addition to those of the account. */
  readonly vocabulary?: readonly string[];
  /** Tags of the usage row. */
  readonly tags?: readonly string[] | undefined;
  /** Calls with the same key and recording get the same answer and are billed once. Default: a new key per call. */
  readonly idempotencyKey?: string;
  /** The file name in the form. The format is detected from the content. */
  readonly fileName?: string;
  /** Called during the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface StreamOptions extends CallOptions {
  /** Hz, 8000 to 48000. Default 16000. */
  readonly sampleRate?: number;
  /** Default 1. Stereo frames are interleaved. */
  readonly channels?: 1 | 2;
  /** Reports when the speaker starts and ends a turn. Cannot be combined with `speakers` or `channelNames`. */
  readonly turns?: TurnOptions | undefined;
}

export interface TurnOptions {
  /** Called at each step of a turn. */
  readonly onEvent: (event: TurnEvent) => void;
  /** The turn ends at this probability, 0.5 to 0.99. Default 0.9. */
  readonly threshold?: number | undefined;
  /** `probably_ended` is sent at this probability, 0.3 to `threshold`. Default: never sent. */
  readonly eagerThreshold?: number | undefined;
  /** The turn always ends after this much silence, 500 to 10,000 ms. Default 5,000. */
  readonly timeoutMs?: number | undefined;
}

export interface LiveStreamOptions extends Omit<StreamOptions, 'include' | 'channelNames' | 'turns'> {
  /** Called for each event while people speak. */
  readonly onEvent: (event: LiveEvent) => void;
  /** Whether to send interim text of the open utterance. Default true. */
  readonly interims?: boolean;
  /** Milliseconds of silence that end an utterance. Default 600. */
  readonly endpointingMs?: number | undefined;
}

export const MODEL_DEFAULT: ModelId = 'svc-1.0-max';
