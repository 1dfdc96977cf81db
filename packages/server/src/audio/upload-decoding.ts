// The interface of the audio room: upload bytes in, 16 kHz mono samples out, off the event loop.

import type { SampleFormat } from './codecs/samples.ts';
import type { AudioFormats } from './containers/formats.ts';

export { mayNeedWholeFile } from './containers/sniff.ts';
export type { AudioFormats, SampleFormat };

export interface DecodeOptions {
  /** Longest audio accepted, counted in decoded samples or packet durations; exactly this long passes. */
  readonly maxDurationSeconds: number;
  /** Which files are taken; those of the contract (wav, ogg, webm) unless said otherwise. */
  readonly formats?: AudioFormats;
  /** Only this channel, from 0 on; without it all channels are mixed. */
  readonly channel?: number;
  readonly signal?: AbortSignal;
}

export interface Pcm16Options {
  /** Any whole rate the contract allows. */
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
}

/** A live stream: samples without a container, or a container whose kind its first bytes tell. */
export type LiveAudio =
  | {
      readonly kind: 'raw';
      readonly format: SampleFormat;
      readonly sampleRateHz: number;
      readonly channels: number;
    }
  | { readonly kind: 'container' };

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

/** A decoder that also tells how far it is. */
export interface LiveDecoder extends UploadDecoder {
  /** Channels of the source; 0 until they are known. */
  readonly sourceChannels: number;
  /** Resolves when everything written so far has been read, as far as it can be decoded, or when nothing more will be. */
  drained(): Promise<void>;
}

/** Makes decoders; owns the threads they run on. */
export interface UploadDecoding {
  open(options: DecodeOptions): LiveDecoder;
  /** The same for a live stream: raw little-endian pcm16 in frames of any size, odd splits included. */
  openPcm16(options: Pcm16Options): UploadDecoder;
  /** A live stream in another form; `channel` as in DecodeOptions. */
  openLive(audio: LiveAudio, channel?: number): LiveDecoder;
  close(): Promise<void>;
}
