// One fuzz input through the decoder, twice: whole and in random pieces. Both must end alike, whatever the input.
import { createHash } from 'node:crypto';
import { DecodeTask } from '../../src/audio/threads/decode-task.ts';
import type { DecodeOutcome } from '../../src/audio/threads/protocol.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { corpus } from './corpus.ts';
import { mutate } from './mutate.ts';

export const MAX_DURATION_SECONDS = 20;

const specimens = corpus();

/** The same number always gives the same input. */
export const fuzzInput = (seed: number): { readonly name: string; readonly bytes: Uint8Array } => {
  const random = seededRandom(seed);
  const pick = () => specimens[Math.floor(random() * specimens.length)]!;
  const specimen = pick();
  return { name: `${specimen.container}: ${specimen.name}`, bytes: mutate(specimen.bytes, random, pick().bytes) };
};

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

/** Decodes the bytes whole and in pieces; throws with what is wrong when anything is. */
export const checkDecoding = async (bytes: Uint8Array, random: () => number): Promise<DecodeOutcome['kind']> => {
  const whole = await decode(bytes, () => bytes.length);
  const pieces = await decode(bytes, () => 1 + Math.floor(random() ** 3 * 700));
  const { outcome } = whole;
  if (outcome.kind === 'broken') throw new Error(`broke the decoder: ${outcome.reason}`);
  if (JSON.stringify(outcome) !== JSON.stringify(pieces.outcome)) {
    throw new Error(`ends otherwise in pieces: ${JSON.stringify(outcome)} and ${JSON.stringify(pieces.outcome)}`);
  }
  if (outcome.kind !== 'ended') return outcome.kind;
  if (whole.digest !== pieces.digest) throw new Error('sounds otherwise in pieces');
  if (!(whole.decodedSeconds <= MAX_DURATION_SECONDS + 1e-9)) throw new Error('is longer than allowed');
  // Each link of a chain is rounded to a sample of its own.
  if (Math.abs(whole.samples - whole.decodedSeconds * 16_000) > 64) throw new Error('has another length than it says');
  return 'ended';
};

/** Runs one input by its number. */
export const trial = (seed: number): Promise<DecodeOutcome['kind']> =>
  checkDecoding(fuzzInput(seed).bytes, seededRandom(seed ^ 0x5f5f));
