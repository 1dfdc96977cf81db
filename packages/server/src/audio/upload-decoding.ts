// The interface of the audio room: takes encoded bytes and yields 16 kHz mono samples, mostly on worker threads.

import type { SampleFormat } from './codecs/samples.ts';
import type { AudioFormats } from './containers/container.ts';

export { mayNeedWholeFile } from './containers/sniff.ts';
export type { AudioFormats, SampleFormat };

export interface DecodeOptions {
  /** Longest audio accepted, inclusive; measured in decoded samples or packet durations. */
  readonly maxDurationSeconds: number;
  /** Which formats to accept; by default those of the contract (wav, ogg, webm). */
  readonly formats?: AudioFormats;
  /** Decode only this channel, counted from 0; by default all channels are mixed. */
  readonly channel?: number | undefined;
  /** The account. Decoders of one owner share its turns on the threads. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
  /** Only measures the audio, much faster than decoding it. Yields no samples. */
  readonly measure?: Measure;
}

/** `length` counts the audio without a decoder; `codec` also decodes the first packets, to check that it can. */
export type Measure = 'length' | 'codec';

export type LiveDecodeOptions = { readonly [Name in 'channel' | 'owner']?: DecodeOptions[Name] | undefined };

export interface Pcm16Options {
  /** Any integer rate the contract allows. */
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
  /** Decode only this channel, counted from 0. */
  readonly channel?: number | undefined;
  readonly owner?: string;
}

/** A live stream: raw samples, or a container recognised by its first bytes. */
export type LiveAudio =
  | {
      readonly kind: 'raw';
      readonly format: SampleFormat;
      readonly sampleRateHz: number;
      readonly channels: number;
    }
  | { readonly kind: 'container' };

/**
 * One upload being decoded: bytes are written as they arrive, samples are read on demand. Reading fails with a Fault:
 * AUDIO_FORMAT_UNSUPPORTED or AUDIO_TOO_LONG as soon as it is known; SERVICE_UNAVAILABLE when another upload broke the
 * shared thread. A file that is truncated after valid audio ends normally; a valid file without audio ends with no
 * samples and a duration of 0. Leaving a `for await` loop early aborts.
 */
export interface UploadDecoder extends AsyncIterable<Float32Array> {
  /** Resolves when more bytes may be written; do not change the bytes until then. Bytes after a failure are ignored. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  /** Frees everything at once; pending and later reads reject with an AbortError. Safe at any time, more than once. */
  abort(): void;
  /** Exact duration of the audio decoded so far, at the source rate; complete when the iteration has ended. */
  readonly durationSeconds: number;
  /** The activity of two mixed channels, see channel-activity.ts; otherwise empty. Read it once, at the end. */
  readonly channelActivity?: Uint8Array;
}

/** A decoder that also reports its progress. */
export interface LiveDecoder extends UploadDecoder {
  /** Channels of the source; 0 until known. */
  readonly sourceChannels: number;
  /** Resolves when everything written so far has been decoded and read, or when nothing more will be decoded. */
  drained(): Promise<void>;
}

/** Creates decoders and owns the threads they run on. */
export interface UploadDecoding {
  open(options: DecodeOptions): LiveDecoder;
  /** A live stream of raw little-endian pcm16; chunks may split frames anywhere. */
  openPcm16(options: Pcm16Options): LiveDecoder;
  /** A live stream in another format. */
  openLive(audio: LiveAudio, options?: LiveDecodeOptions): LiveDecoder;
  close(): Promise<void>;
}
