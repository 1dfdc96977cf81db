// Creates decoders and owns their threads: a pool for files, which may be hostile, and one thread for live streams.
import { availableParallelism } from 'node:os';
import { programUrl } from '../lib/process/programs.ts';
import { InlinePcm16Decoder, PCM16 } from './inline-pcm16.ts';
import { SAMPLE_RATE_HZ } from './pcm.ts';
import { ThreadPool } from './threads/thread-pool.ts';
import { ThreadedDecoder } from './threads/threaded-decoder.ts';
import type { LiveAudio, LiveDecodeOptions, LiveDecoder, SampleFormat, UploadDecoding } from './upload-decoding.ts';

export interface UploadDecodingOptions {
  /** Threads that decode files; at least two, so that one bad file does not block all others. */
  readonly threads?: number;
  /** Kill a thread when one file makes no progress for this long. */
  readonly stallMs?: number;
  /** The worker program; tests replace it to make threads fail. */
  readonly script?: URL;
}

const THREADS_MAX = 4;
const STALL_MS = 4000;

const isPcm16 = ({ kind, bytes, bigEndian }: SampleFormat): boolean =>
  kind === PCM16.kind && bytes === PCM16.bytes && bigEndian === PCM16.bigEndian;

export const createUploadDecoding = (options: UploadDecodingOptions = {}): UploadDecoding => {
  const threadOptions = {
    script: options.script ?? programUrl('audio/threads/worker'),
    stallMs: options.stallMs ?? STALL_MS,
  };
  const fileThreads = options.threads ?? Math.max(2, Math.min(THREADS_MAX, availableParallelism()));
  const files = new ThreadPool(fileThreads, threadOptions);
  const live = new ThreadPool(1, threadOptions);

  const openLive = (audio: LiveAudio, { channel, owner }: LiveDecodeOptions = {}): LiveDecoder => {
    // A container may be hostile, so it is decoded on the same threads as uploads.
    if (audio.kind === 'container') {
      const input = { kind: 'upload', maxDurationSeconds: Number.POSITIVE_INFINITY, formats: 'all', channel } as const;
      return new ThreadedDecoder(files.pick(), input, { owner });
    }
    const { format, sampleRateHz, channels } = audio;
    const isCheap =
      isPcm16(format) && sampleRateHz === SAMPLE_RATE_HZ && channels <= 2 && (channel === undefined || channels === 1);
    return isCheap
      ? new InlinePcm16Decoder(channels)
      : new ThreadedDecoder(live.pick(), { ...audio, channel }, { owner });
  };

  return {
    open: ({ maxDurationSeconds, formats = 'contract', channel, owner, signal, measure }) => {
      const input = { kind: 'upload', maxDurationSeconds, formats, channel, measure } as const;
      return new ThreadedDecoder(files.pick(), input, { owner, signal });
    },
    openPcm16: ({ sampleRateHz, channels, channel, owner }) =>
      openLive({ kind: 'raw', format: PCM16, sampleRateHz, channels }, { channel, owner }),
    openLive,
    close: async () => {
      await Promise.all([files.close(), live.close()]);
    },
  };
};
