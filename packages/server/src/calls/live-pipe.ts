// The way of live audio into live sessions: one for the mixed stream, or one for each of its channels.
import type { LiveDecoder } from '../audio/upload-decoding.ts';
import type { Fault } from '../lib/fault.ts';
import type { LiveSession, LiveSummary } from '../transcription/live/live-session.ts';
import { AudioPipe } from './audio-pipe.ts';

export interface Lane {
  readonly session: LiveSession;
  readonly decoder: LiveDecoder;
}

export interface LivePipeListener {
  /** More is queued than may be: hold the reading. */
  full(): void;
  room(): void;
  /** Every session has told its last final. */
  finished(summary: LiveSummary, audioSeconds: number): void;
  failed(fault: Fault): void;
}

export class LivePipe {
  readonly #lanes: readonly Lane[];
  readonly #pipes: readonly AudioPipe<LiveSummary>[];
  readonly #listener: LivePipeListener;
  readonly #full = new Set<number>();
  readonly #summaries: LiveSummary[] = [];
  #audioSeconds = 0;
  #failed = false;

  constructor(lanes: readonly Lane[], listener: LivePipeListener) {
    this.#lanes = lanes;
    this.#listener = listener;
    this.#pipes = lanes.map(
      ({ session, decoder }, index) =>
        new AudioPipe<LiveSummary>(session, decoder, {
          full: () => this.#setFull(index),
          room: () => this.#setRoom(index),
          transcribed: (summary, audioSeconds) => this.#finished(summary, audioSeconds),
          failed: (fault) => this.#fail(fault),
        }),
    );
  }

  /** Seconds of audio decoded so far. */
  get audioSeconds(): number {
    return Math.max(this.#audioSeconds, ...this.#lanes.map(({ decoder }) => decoder.durationSeconds));
  }

  write(frame: Buffer): void {
    for (const pipe of this.#pipes) pipe.write(frame);
  }

  /** Ends the open utterances, of all channels or of one, after everything written so far. */
  async flush(channel?: number): Promise<void> {
    const flushed = this.#pipes.map(async (pipe, index) => {
      if (channel !== undefined && channel !== index) return;
      const { decoder, session } = this.#lanes[index]!;
      await pipe.written();
      await decoder.drained();
      await session.flush();
    });
    await Promise.all(flushed);
  }

  finish(): void {
    for (const pipe of this.#pipes) pipe.finish();
  }

  cancel(): void {
    for (const pipe of this.#pipes) pipe.cancel();
  }

  #setFull(index: number): void {
    this.#full.add(index);
    this.#listener.full();
  }

  #setRoom(index: number): void {
    this.#full.delete(index);
    if (this.#full.size === 0) this.#listener.room();
  }

  #fail(fault: Fault): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#listener.failed(fault);
  }

  #finished(summary: LiveSummary, audioSeconds: number): void {
    this.#summaries.push(summary);
    this.#audioSeconds = Math.max(this.#audioSeconds, audioSeconds);
    if (this.#summaries.length < this.#pipes.length) return;
    this.#listener.finished(joined(this.#summaries), this.#audioSeconds);
  }
}

const joined = (summaries: readonly LiveSummary[]): LiveSummary => ({
  detectedLanguage: summaries.find(({ detectedLanguage }) => detectedLanguage !== null)?.detectedLanguage ?? null,
  outputTokenCount: summaries.reduce((total, { outputTokenCount }) => total + outputTokenCount, 0),
  recognitionMs: Math.max(...summaries.map(({ recognitionMs }) => recognitionMs)),
  refinementMs: Math.max(...summaries.map(({ refinementMs }) => refinementMs)),
  refinementFallback:
    summaries.find(({ refinementFallback }) => refinementFallback !== null)?.refinementFallback ?? null,
});
