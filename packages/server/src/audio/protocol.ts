// The messages between a decoder and its thread. Bytes and samples are handed over, not copied.
import type { SampleFormat } from './codecs/samples.ts';
import type { AudioFormats } from './containers/formats.ts';
import type { RefusalCode } from './refusal.ts';

/** What a job reads: a whole file of unknown kind, or the bare samples of a live stream. */
export type JobKind =
  | {
      readonly kind: 'upload';
      readonly maxDurationSeconds: number;
      readonly formats: AudioFormats;
      readonly channel?: number;
    }
  | {
      readonly kind: 'raw';
      readonly format: SampleFormat;
      readonly sampleRateHz: number;
      readonly channels: number;
      readonly channel?: number;
    };

export type ToThread =
  | { readonly op: 'open'; readonly job: number; readonly what: JobKind; readonly creditSamples: number }
  | { readonly op: 'bytes'; readonly job: number; readonly bytes: Uint8Array }
  | { readonly op: 'end'; readonly job: number }
  /** The consumer has taken samples: so many more may be decoded. */
  | { readonly op: 'credit'; readonly job: number; readonly samples: number }
  | { readonly op: 'abort'; readonly job: number };

export type JobOutcome =
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly sentence: string }
  | { readonly kind: 'broken'; readonly reason: string };

export interface FromThread {
  readonly job: number;
  /** All audio decoded so far, counted at the source's rate. */
  readonly decodedSeconds: number;
  readonly samples?: Float32Array;
  readonly sourceChannels: number;
  /** Nothing is left to decode of the bytes taken in so far. */
  readonly idle: boolean;
  /** So many more of the bytes sent have been taken in. */
  readonly takenBytes?: number;
  readonly outcome?: JobOutcome;
}

export interface ThreadData {
  /** Two numbers in shared memory: the job that runs now (0: none), and a count that moves as it makes progress. */
  readonly heartbeat: Int32Array;
}
export const HEARTBEAT_JOB = 0;
export const HEARTBEAT_COUNT = 1;
