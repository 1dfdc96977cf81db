// Makes decoders and owns their threads: one pool for files, which may be hostile, and one thread for live streams.
import { availableParallelism } from 'node:os';
import { InlinePcm16Decoder } from './inline-pcm16.ts';
import { SAMPLE_RATE_HZ } from './pcm.ts';
import { ThreadPool } from './thread-pool.ts';
import { ThreadedDecoder } from './threaded-decoder.ts';
import type { DecodeOptions, LiveAudio, Pcm16Options, SampleFormat, UploadDecoding } from './upload-decoding.ts';

export interface UploadDecodingOptions {
  /** Threads that decode files. Two at least, so that one bad file does not hold up all others. */
  readonly threads?: number;
  /** How long decoding may stand still on one file before its thread is killed. */
  readonly stallMs?: number;
  /** The program of the threads; another one in tests of their failures. */
  readonly script?: URL;
}

const PCM16: SampleFormat = { kind: 'signed', bytes: 2, bigEndian: false };
const isPcm16 = ({ kind, bytes, bigEndian }: SampleFormat): boolean => kind === 'signed' && bytes === 2 && !bigEndian;

const THREADS_MAX = 4;
const STALL_MS = 4000;

/** Compiled and uncompiled sources stand side by side under the same names. */
const workerScript = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

export const createUploadDecoding = (options: UploadDecodingOptions = {}): UploadDecoding => {
  const threadOptions = { script: options.script ?? workerScript(), stallMs: options.stallMs ?? STALL_MS };
  const fileThreads = options.threads ?? Math.max(2, Math.min(THREADS_MAX, availableParallelism()));
  const files = new ThreadPool(fileThreads, threadOptions);
  const live = new ThreadPool(1, threadOptions);
  return {
    open: ({ maxDurationSeconds, formats = 'contract', channel, signal }: DecodeOptions) =>
      new ThreadedDecoder(
        files.pick(),
        { kind: 'upload', maxDurationSeconds, formats, ...(channel !== undefined && { channel }) },
        signal,
      ),
    openPcm16: (stream: Pcm16Options) =>
      stream.sampleRateHz === SAMPLE_RATE_HZ
        ? new InlinePcm16Decoder(stream)
        : new ThreadedDecoder(live.pick(), { kind: 'raw', format: PCM16, ...stream }, undefined),
    openLive: (audio: LiveAudio, channel?: number) => {
      const picked = channel === undefined ? {} : { channel };
      // A container may be hostile: it is decoded where uploads are.
      if (audio.kind === 'container') {
        const limits = { maxDurationSeconds: Number.POSITIVE_INFINITY, formats: 'all' } as const;
        return new ThreadedDecoder(files.pick(), { kind: 'upload', ...limits, ...picked }, undefined);
      }
      const isCheap =
        isPcm16(audio.format) &&
        audio.sampleRateHz === SAMPLE_RATE_HZ &&
        audio.channels <= 2 &&
        (channel === undefined || audio.channels === 1);
      return isCheap
        ? new InlinePcm16Decoder({ sampleRateHz: SAMPLE_RATE_HZ, channels: audio.channels === 2 ? 2 : 1 })
        : new ThreadedDecoder(live.pick(), { ...audio, ...picked }, undefined);
    },
    close: async () => {
      await Promise.all([files.close(), live.close()]);
    },
  };
};
