// The interface of the audio room: upload bytes in, 16 kHz mono samples out, off the event loop.

import type { AudioFormats } from './containers/formats.ts';

export type { AudioFormats };

export interface DecodeOptions {
  /** Longest audio accepted, counted in decoded samples or packet durations; exactly this long passes. */
  readonly maxDurationSeconds: number;
  /** Which files are taken; those of the contract (wav, ogg, webm) unless said otherwise. */
  readonly formats?: AudioFormats;
  readonly signal?: AbortSignal;
}

export interface Pcm16Options {
  /** Any whole rate the contract allows. */
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
}

/**
 * One upload being decoded. Bytes are written as they arrive; samples are read as they are wanted.
 * Reading fails with a Fault: AUDIO_FORMAT_UNSUPPORTED or AUDIO_TOO_LONG, as soon as it is known; SERVICE_UNAVAILABLE
 * when the thread was lost to another upload. A file cut short after good audio ends normally, and a sound file with no
 * audio in it ends with nothing and a duration of 0. Leaving a `for await` loop early aborts.
 */
export interface UploadDecoder extends AsyncIterable<Float32Array> {
  /** Resolves when more bytes are welcome; until then they must not be changed. Bytes after a failure are ignored. */
  write(bytes: Uint8Array): Promise<void>;
  /** No more bytes. */
  end(): void;
  /** Frees everything at once; reads, pending and later, reject with an AbortError. Safe at any time, more than once. */
  abort(): void;
  /** Exact seconds of audio decoded so far, all of it when the iteration has ended. Counted at the source rate. */
  readonly durationSeconds: number;
}

/** Makes decoders; owns the threads they run on. */
export interface UploadDecoding {
  open(options: DecodeOptions): UploadDecoder;
  /** The same for a live stream: raw little-endian pcm16 in frames of any size, odd splits included. */
  openPcm16(options: Pcm16Options): UploadDecoder;
  close(): Promise<void>;
}
