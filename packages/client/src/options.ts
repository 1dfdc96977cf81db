// What the calls take, in the contract's words.
import type { Include, ModelId } from '@faircopy/contract';
import type { LiveEvent } from './live-events.ts';

export interface FaircopyOptions {
  /** Where the service is, such as `https://speech.example.com` or `http://localhost:8080`. */
  readonly baseUrl: string | URL | undefined;
  /** Undefined is taken, as environment variables are typed so, and refused when the client is made. */
  readonly apiKey: string | undefined;
  /** How often a call that failed for a passing reason is tried again. Default 2. */
  readonly retries?: number;
}

interface CallOptions {
  /** Default `svc-1.0-max`, the recommended one. */
  readonly model?: ModelId;
  /** ISO 639-1 hint. The language is detected when there is none, or when it is unknown. */
  readonly language?: string | undefined;
  /** What else to return beside the transcript. */
  readonly include?: readonly Include[];
  readonly signal?: AbortSignal;
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface TranscribeOptions extends CallOptions {
  /** Terms that are likely to be said in this recording, beside those of the account. */
  readonly vocabulary?: readonly string[];
  /** Calls with the same key and the same recording get one answer and are billed once. Default: one for each call. */
  readonly idempotencyKey?: string;
  /** Name of the file, for forms; the format is judged by content. */
  readonly fileName?: string;
  /** Called while the upload goes out. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface StreamOptions extends CallOptions {
  /** Hz, 8000 to 48000. Default 16000. */
  readonly sampleRate?: number;
  /** Default 1. Stereo frames are interleaved. */
  readonly channels?: 1 | 2;
}

export interface LiveStreamOptions extends Omit<StreamOptions, 'include'> {
  /** Told of everything that happens, while somebody speaks. */
  readonly onEvent: (event: LiveEvent) => void;
  /** Whether text of the open utterance is wanted. Default true. */
  readonly interims?: boolean;
  /** Silence in milliseconds that ends an utterance. Default 600. */
  readonly endpointingMs?: number;
}

export const MODEL_DEFAULT: ModelId = 'svc-1.0-max';
