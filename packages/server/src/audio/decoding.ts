// Makes decoders and owns their threads: one pool for files, which may be hostile, and one thread for live streams.
import { availableParallelism } from 'node:os';
import type { DecodeOptions, Pcm16Options, UploadDecoding } from './decode.ts';
import { InlinePcm16Decoder } from './inline-pcm16.ts';
import { SAMPLE_RATE_HZ } from './pcm.ts';
import { ThreadPool } from './thread-pool.ts';
import { ThreadedDecoder } from './threaded-decoder.ts';

export interface UploadDecodingOptions {
  /** Threads that decode files. Two at least, so that one bad file does not hold up all others. */
  readonly threads?: number;
  /** How long decoding may stand still on one file before its thread is killed. */
  readonly stallMs?: number;
  /** The program of the threads; another one in tests of their failures. */
  readonly script?: URL;
}

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
    open: ({ maxDurationSeconds, formats = 'contract', signal }: DecodeOptions) =>
      new ThreadedDecoder(files.pick(), { kind: 'upload', maxDurationSeconds, formats }, signal),
    openPcm16: (stream: Pcm16Options) =>
      stream.sampleRateHz === SAMPLE_RATE_HZ
        ? new InlinePcm16Decoder(stream)
        : new ThreadedDecoder(live.pick(), { kind: 'pcm16', ...stream }, undefined),
    close: async () => {
      await Promise.all([files.close(), live.close()]);
    },
  };
};
