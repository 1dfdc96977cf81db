// Fuzz targets of the decoders: one for each container, each input decoded whole and in pieces.
import { createHash } from 'node:crypto';
import { DecodeTask } from '../../../src/audio/threads/decode-task.ts';
import type { DecodeOutcome } from '../../../src/audio/threads/protocol.ts';
import { seedsByContainer } from '../corpus.ts';
import type { FuzzTarget, OpenTarget } from '../target.ts';

/** Longer files reach no new code: they only hold more of the same. */
const BYTES_MAX = 6_000;
const MAX_DURATION_SECONDS = 20;

interface Verdict {
  readonly outcome: DecodeOutcome;
  readonly decodedSeconds: number;
  readonly samples: number;
  readonly digest: string;
}

const decode = async (bytes: Uint8Array, pieceBytes: () => number): Promise<Verdict> => {
  const task = new DecodeTask({
    op: 'open',
    task: 1,
    owner: 'fuzz',
    input: { kind: 'upload', maxDurationSeconds: MAX_DURATION_SECONDS, formats: 'all' },
    creditSamples: Number.POSITIVE_INFINITY,
  });
  const hash = createHash('sha256');
  let samples = 0;
  for (let at = 0; ; ) {
    const { report, runAgain } = await task.slice(() => undefined);
    if (report?.samples) {
      samples += report.samples.length;
      hash.update(new Uint8Array(report.samples.buffer, report.samples.byteOffset, report.samples.byteLength));
    }
    if (report?.outcome) {
      return { outcome: report.outcome, decodedSeconds: report.decodedSeconds, samples, digest: hash.digest('hex') };
    }
    if (runAgain) continue;
    if (at < bytes.length) {
      const piece = bytes.slice(at, at + pieceBytes());
      at += piece.length;
      task.push(piece);
    } else {
      task.end();
    }
  }
};

/** Decodes the bytes whole and in pieces; throws if the results differ or are wrong. */
const checkDecoding = async (bytes: Uint8Array, random: () => number): Promise<void> => {
  const whole = await decode(bytes, () => bytes.length);
  const pieces = await decode(bytes, () => 1 + Math.floor(random() ** 3 * 700));
  const { outcome } = whole;
  if (outcome.kind === 'broken') throw new Error(`broke the decoder: ${outcome.reason}`);
  if (JSON.stringify(outcome) !== JSON.stringify(pieces.outcome)) {
    throw new Error(`ends differently in pieces: ${JSON.stringify(outcome)} and ${JSON.stringify(pieces.outcome)}`);
  }
  if (outcome.kind !== 'ended') return;
  if (whole.digest !== pieces.digest) throw new Error('decodes differently in pieces');
  if (!(whole.decodedSeconds <= MAX_DURATION_SECONDS + 1e-9)) throw new Error('is longer than allowed');
  // The length of each link of a chain is rounded to a sample.
  if (Math.abs(whole.samples - whole.decodedSeconds * 16_000) > 64) throw new Error('has another length than reported');
};

export const audioTargets = (): ReadonlyMap<string, OpenTarget> => {
  const open =
    (seeds: readonly Uint8Array[]): OpenTarget =>
    async (): Promise<FuzzTarget> => ({
      seeds,
      within: '/src/audio/',
      bytesMax: BYTES_MAX,
      run: (bytes, random) => checkDecoding(new Uint8Array(bytes), random),
    });
  return new Map([...seedsByContainer(BYTES_MAX)].map(([container, seeds]) => [container, open(seeds)]));
};
