// Fuzz targets of the demuxers alone, which run many times faster than with decoding.
import { ByteQueue, NEEDS_BYTES } from '../../../src/audio/containers/byte-queue.ts';
import { demux } from '../../../src/audio/containers/sniff.ts';
import { Refusal } from '../../../src/audio/refusal.ts';
import { seedsByContainer } from '../corpus.ts';
import type { FuzzTarget, OpenTarget } from '../target.ts';

const BYTES_MAX = 3_000;
/** More steps than this mean that a demuxer yields without consuming input. */
const STEPS_PER_BYTE_MAX = 40;

interface Reading {
  readonly refusal: string | null;
  readonly found: string;
}

const read = (bytes: Uint8Array, pieceBytes: () => number): Reading => {
  const queue = new ByteQueue();
  const found: string[] = [];
  let refusal: string | null = null;
  let at = 0;
  let steps = 0;
  try {
    for (const value of demux(queue, 'all')) {
      if (steps++ > 1_000 + STEPS_PER_BYTE_MAX * bytes.length) throw new Error('the demuxer makes no progress');
      if (value !== NEEDS_BYTES) {
        if (value.kind === 'track') found.push(`track ${value.coding.codec} ${value.coding.sampleRateHz}`);
        else {
          if (!(value.frames >= 0 && value.discardFrames >= 0)) throw new Error('a packet with an impossible length');
          found.push(`packet ${value.data.length} ${value.frames} ${value.discardFrames}`);
        }
      } else if (at < bytes.length) {
        const piece = bytes.slice(at, at + pieceBytes());
        at += piece.length;
        queue.push(piece);
      } else queue.end();
    }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    refusal = thrown.message;
  }
  return { refusal, found: found.join('\n') };
};

/** Raw samples may be split anywhere, so their packets may differ; everything else must be the same. */
const isAlike = (whole: Reading, pieces: Reading): boolean =>
  whole.refusal === pieces.refusal && (whole.found === pieces.found || /track (pcm|ima|ms)/.test(whole.found));

export const demuxerTargets = (): ReadonlyMap<string, OpenTarget> => {
  const open =
    (seeds: readonly Uint8Array[]): OpenTarget =>
    async (): Promise<FuzzTarget> => ({
      seeds,
      within: '/src/audio/containers/',
      bytesMax: BYTES_MAX,
      run: (bytes, random) => {
        const whole = read(bytes, () => bytes.length);
        const pieces = read(bytes, () => 1 + Math.floor(random() ** 2 * 200));
        if (!isAlike(whole, pieces)) throw new Error(`differs in pieces: ${whole.refusal}, ${pieces.refusal}`);
      },
    });
  return new Map([...seedsByContainer(BYTES_MAX)].map(([container, seeds]) => [`${container} demuxer`, open(seeds)]));
};
