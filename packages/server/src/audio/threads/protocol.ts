// Messages between a decoder and its thread. Bytes and samples are transferred, not copied.
import type { SampleFormat } from '../codecs/samples.ts';
import type { AudioFormats } from '../containers/container.ts';
import type { RefusalCode } from '../refusal.ts';
import type { Measure } from '../upload-decoding.ts';

/** What a task reads: a file of unknown format, or the raw samples of a live stream. */
export type DecodeInput =
  | {
      readonly kind: 'upload';
      readonly maxDurationSeconds: number;
      readonly formats: AudioFormats;
      readonly channel?: number | undefined;
      /** Measures the audio without decoding it. */
      readonly measure?: Measure | undefined;
    }
  | {
      readonly kind: 'raw';
      readonly format: SampleFormat;
      readonly sampleRateHz: number;
      readonly channels: number;
      readonly channel?: number | undefined;
    };

export type ToThread =
  | {
      readonly op: 'open';
      readonly task: number;
      /** Tasks of one owner share its turns. */
      readonly owner: string;
      readonly input: DecodeInput;
      readonly creditSamples: number;
    }
  | { readonly op: 'bytes'; readonly task: number; readonly bytes: Uint8Array }
  | { readonly op: 'end'; readonly task: number }
  /** The consumer has read this many samples, so as many more may be decoded. */
  | { readonly op: 'credit'; readonly task: number; readonly samples: number }
  | { readonly op: 'abort'; readonly task: number };

export type DecodeOutcome =
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly sentence: string }
  | { readonly kind: 'broken'; readonly reason: string };

export interface FromThread {
  readonly task: number;
  /** Audio decoded so far, measured at the source rate. */
  readonly decodedSeconds: number;
  readonly samples?: Float32Array;
  readonly sourceChannels: number;
  /** Channel activity since the last report, one byte per block. */
  readonly activity?: Uint8Array;
  /** Everything received so far has been decoded. */
  readonly idle: boolean;
  /** Bytes consumed since the last report. */
  readonly takenBytes?: number;
  readonly outcome?: DecodeOutcome;
}

export interface ThreadData {
  /** Two numbers in shared memory: the running task (0: none), and a counter that increases as it makes progress. */
  readonly heartbeat: Int32Array;
}
export const HEARTBEAT_TASK = 0;
export const HEARTBEAT_COUNT = 1;
