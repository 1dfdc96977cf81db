// One upload inside a decoding thread: runs in short slices and pauses when its samples are not read.

import { demuxBlocks, pcmFormat } from '../containers/blocks.ts';
import type { ByteQueue } from '../containers/byte-queue.ts';
import { demux } from '../containers/sniff.ts';
import { Pipeline } from '../pipeline.ts';
import { Refusal, unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import type { Measure } from '../upload-decoding.ts';
import type { DecodeInput, DecodeOutcome, FromThread, ToThread } from './protocol.ts';

const SLICE_MS = 5;
/** Bytes given to the parser per slice: it cannot be interrupted before it has read all it was given. */
const SLICE_BYTES = 64 * 1024;
/** Limits on thread time per file. Real files need about a hundredth, which leaves a margin on a busy machine. */
const WORK_MS_MAX = 10_000;
const WORK_MS_PER_AUDIO_SECOND = 500;
/** Shorter slices that end because bytes are missing are not counted: they may have been waiting for the CPU. */
const COUNTED_TURN_MS = 100;

/** Packets to decode when the codec of a file is checked. */
const TRIED_PACKETS = 32;

export class DecodeTask {
  readonly id: number;
  readonly owner: string;
  readonly #input: DecodeInput;
  readonly #pipeline: Pipeline;
  #creditSamples: number;
  /** Messages that the parser has not been given yet. */
  #unread: Uint8Array[] = [];
  #hasEnded = false;
  #untakenBytes = 0;
  #state: 'open' | 'over' = 'open';
  #workMs = 0;
  #decodedSeconds = 0;
  #reportedIdle = false;
  #triedPackets = 0;

  constructor({ task, owner, input, creditSamples }: Extract<ToThread, { op: 'open' }>) {
    this.id = task;
    this.owner = owner;
    this.#input = input;
    this.#creditSamples = creditSamples;
    this.#pipeline =
      input.kind === 'upload'
        ? new Pipeline((bytes) => demux(bytes, input.formats), input.maxDurationSeconds, input.channel)
        : new Pipeline((bytes) => demuxLive(bytes, input), Number.POSITIVE_INFINITY, input.channel);
    if (this.#measure === 'length') this.#pipeline.countOnly();
  }

  push(bytes: Uint8Array): void {
    this.#unread.push(bytes);
  }

  end(): void {
    this.#hasEnded = true;
  }

  credit(samples: number): void {
    this.#creditSamples += samples;
  }

  free(): void {
    this.#state = 'over';
    this.#unread = [];
    this.#pipeline.free();
  }

  /** Runs for a few milliseconds; returns what to report and whether to run again at once. */
  async slice(beat: () => void): Promise<{ report: FromThread | undefined; runAgain: boolean }> {
    if (this.#isOver()) return { report: undefined, runAgain: false };
    const startMs = performance.now();
    let takenBytes = 0;
    let outcome: DecodeOutcome | undefined;
    let runAgain = false;
    let idle = false;
    /** Whether the parser has read all it was given. */
    let hasReadAll = false;
    this.#feed();
    try {
      for (;;) {
        beat();
        if (this.#measure) {
          ({ outcome, runAgain } = await this.#measureSlice());
          hasReadAll = !runAgain;
          if (hasReadAll) takenBytes = this.#takeBytes();
          break;
        }
        hasReadAll = this.#pipeline.readAhead() !== 'full';
        if (hasReadAll) takenBytes += this.#takeBytes();
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
      if (hasReadAll && this.#unread.length > 0) {
        runAgain = true;
        idle = false;
      }
    } catch (thrown) {
      outcome =
        thrown instanceof Refusal
          ? { kind: 'refused', code: thrown.code, sentence: thrown.message }
          : { kind: 'broken', reason: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    // The task may have been aborted while a decoder was opening.
    if (this.#isOver()) return { report: undefined, runAgain: false };
    const samples = this.#pipeline.takeOutput();
    // Audio that is too long is refused before it is decoded: report its measured length, not the decoded part.
    this.#decodedSeconds =
      this.#measure || (outcome?.kind === 'refused' && outcome.code === 'AUDIO_TOO_LONG')
        ? Math.max(this.#pipeline.decodedSeconds, this.#pipeline.measuredSeconds)
        : this.#pipeline.decodedSeconds;
    this.#creditSamples -= samples.length;
    if (outcome) this.free();
    return { report: this.#report(samples, takenBytes, idle, outcome), runAgain: runAgain && !outcome };
  }

  get #measure(): Measure | undefined {
    return this.#input.kind === 'upload' ? this.#input.measure : undefined;
  }

  /**
   * Adds up the durations of packets, part of them per turn. With `codec`, also decodes the first packets, so that a
   * file that cannot be decoded is refused.
   */
  async #measureSlice(): Promise<{ readonly outcome: DecodeOutcome | undefined; readonly runAgain: boolean }> {
    const state = this.#pipeline.readAhead();
    if (this.#measure === 'codec') await this.#tryPackets();
    return { outcome: state === 'done' ? { kind: 'ended' } : undefined, runAgain: state === 'full' };
  }

  async #tryPackets(): Promise<void> {
    if (this.#triedPackets >= TRIED_PACKETS) return;
    while (this.#triedPackets < TRIED_PACKETS && (await this.#pipeline.decodeNext()) === 'decoded')
      this.#triedPackets++;
    this.#pipeline.takeOutput();
    if (this.#triedPackets >= TRIED_PACKETS) this.#pipeline.countOnly();
  }

  #feed(): void {
    let bytes = 0;
    let messages = 0;
    for (; messages < this.#unread.length && bytes < SLICE_BYTES; messages++) {
      const message = this.#unread[messages]!;
      this.#pipeline.push(message);
      bytes += message.length;
    }
    this.#unread.splice(0, messages);
    this.#untakenBytes += bytes;
    if (this.#hasEnded && this.#unread.length === 0) this.#pipeline.end();
  }

  #takeBytes(): number {
    const bytes = this.#untakenBytes;
    this.#untakenBytes = 0;
    return bytes;
  }

  #isOver(): boolean {
    return this.#state === 'over';
  }

  #countWork(ms: number): void {
    if (this.#input.kind === 'raw') return;
    this.#workMs += ms;
    const allowed = WORK_MS_MAX + this.#pipeline.decodedSeconds * WORK_MS_PER_AUDIO_SECOND;
    if (this.#workMs > allowed) throw unsupported('The file takes too long to decode.');
  }

  #report(
    samples: Float32Array,
    takenBytes: number,
    idle: boolean,
    outcome: DecodeOutcome | undefined,
  ): FromThread | undefined {
    if (samples.length === 0 && takenBytes === 0 && !outcome && idle === this.#reportedIdle) return undefined;
    this.#reportedIdle = idle;
    const activity = this.#pipeline.takeActivity();
    return {
      task: this.id,
      decodedSeconds: this.#decodedSeconds,
      sourceChannels: this.#pipeline.sourceChannels,
      idle,
      ...(samples.length > 0 && { samples }),
      ...(activity.length > 0 && { activity }),
      ...(takenBytes > 0 && { takenBytes }),
      ...(outcome && { outcome }),
    };
  }
}

type RawInput = Extract<DecodeInput, { kind: 'raw' }>;

const demuxLive = (bytes: ByteQueue, { format, sampleRateHz, channels }: RawInput): Demuxing =>
  demuxBlocks(bytes, pcmFormat({ codec: 'pcm', format, sampleRateHz, channels }), Number.POSITIVE_INFINITY);
