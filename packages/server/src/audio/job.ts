// One upload inside a thread: works in short slices, so that many share the thread, and stops when its samples are not taken.

import { demuxBlocks, pcmFormat } from './containers/blocks.ts';
import type { ByteQueue } from './containers/byte-queue.ts';
import { demux } from './containers/sniff.ts';
import { Pipeline } from './pipeline.ts';
import type { FromThread, JobKind, JobOutcome } from './protocol.ts';
import { Refusal, unsupported } from './refusal.ts';
import type { Demuxing } from './track.ts';

const SLICE_MS = 5;
/** What a file may cost, in time on the thread: real files take a hundredth, which leaves room for a busy machine. */
const WORK_MS_MAX = 10_000;
const WORK_MS_PER_AUDIO_SECOND = 500;
/** A shorter turn that ends for want of bytes is not counted: it may have waited for the processor most of the time. */
const COUNTED_TURN_MS = 100;

export class Job {
  readonly id: number;
  readonly #what: JobKind;
  readonly #pipeline: Pipeline;
  #creditSamples: number;
  #untakenBytes = 0;
  #state: 'open' | 'over' = 'open';
  #workMs = 0;
  #decodedSeconds = 0;
  #reportedIdle = false;

  constructor(id: number, what: JobKind, creditSamples: number) {
    this.id = id;
    this.#what = what;
    this.#creditSamples = creditSamples;
    this.#pipeline =
      what.kind === 'upload'
        ? new Pipeline((bytes) => demux(bytes, what.formats), what.maxDurationSeconds, what.channel)
        : new Pipeline((bytes) => demuxLive(bytes, what), Number.POSITIVE_INFINITY, what.channel);
  }

  push(bytes: Uint8Array): void {
    this.#untakenBytes += bytes.length;
    this.#pipeline.push(bytes);
  }

  end(): void {
    this.#pipeline.end();
  }

  credit(samples: number): void {
    this.#creditSamples += samples;
  }

  free(): void {
    this.#state = 'over';
    this.#pipeline.free();
  }

  /** Works for a few milliseconds; tells what came of it, and whether there is more to do at once. */
  async slice(beat: () => void): Promise<{ report: FromThread | undefined; runAgain: boolean }> {
    if (this.#isOver()) return { report: undefined, runAgain: false };
    const startMs = performance.now();
    let takenBytes = 0;
    let outcome: JobOutcome | undefined;
    let runAgain = false;
    let idle = false;
    try {
      for (;;) {
        beat();
        if (this.#pipeline.readAhead() !== 'full') {
          takenBytes += this.#untakenBytes;
          this.#untakenBytes = 0;
        }
        if (this.#pipeline.outputSamples >= this.#creditSamples) break;
        const step = await this.#pipeline.decodeNext();
        if (step === 'done') outcome = { kind: 'ended' };
        idle = step === 'idle';
        if (step !== 'decoded') break;
        runAgain = performance.now() - startMs > SLICE_MS;
        if (runAgain) break;
      }
      const turnMs = performance.now() - startMs;
      if (runAgain || turnMs > COUNTED_TURN_MS) this.#countWork(turnMs);
    } catch (thrown) {
      outcome =
        thrown instanceof Refusal
          ? { kind: 'refused', code: thrown.code, sentence: thrown.message }
          : { kind: 'broken', reason: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    // An abort may have come while a decoder was being opened.
    if (this.#isOver()) return { report: undefined, runAgain: false };
    const samples = this.#pipeline.takeOutput();
    // What is too long is refused by its measure, ahead of the decoding; the record shall not show less than the limit.
    this.#decodedSeconds =
      outcome?.kind === 'refused' && outcome.code === 'AUDIO_TOO_LONG'
        ? Math.max(this.#pipeline.decodedSeconds, this.#pipeline.measuredSeconds)
        : this.#pipeline.decodedSeconds;
    this.#creditSamples -= samples.length;
    if (outcome) this.free();
    return { report: this.#report(samples, takenBytes, idle, outcome), runAgain: runAgain && !outcome };
  }

  #isOver(): boolean {
    return this.#state === 'over';
  }

  #countWork(ms: number): void {
    if (this.#what.kind === 'raw') return;
    this.#workMs += ms;
    const allowed = WORK_MS_MAX + this.#pipeline.decodedSeconds * WORK_MS_PER_AUDIO_SECOND;
    if (this.#workMs > allowed) throw unsupported('The file takes too long to decode.');
  }

  #report(
    samples: Float32Array,
    takenBytes: number,
    idle: boolean,
    outcome: JobOutcome | undefined,
  ): FromThread | undefined {
    if (samples.length === 0 && takenBytes === 0 && !outcome && idle === this.#reportedIdle) return undefined;
    this.#reportedIdle = idle;
    return {
      job: this.id,
      decodedSeconds: this.#decodedSeconds,
      sourceChannels: this.#pipeline.sourceChannels,
      idle,
      ...(samples.length > 0 && { samples }),
      ...(takenBytes > 0 && { takenBytes }),
      ...(outcome && { outcome }),
    };
  }
}

/** A live stream has no container: its bytes are samples until it ends. */
const demuxLive = (bytes: ByteQueue, what: JobKind & { kind: 'raw' }): Demuxing =>
  demuxBlocks(
    bytes,
    pcmFormat({
      codec: 'pcm',
      format: what.format,
      sampleRateHz: what.sampleRateHz,
      channels: what.channels,
    }),
    Number.POSITIVE_INFINITY,
  );
