// The audio of a stream: one session for the mixed stream, or one for each of its channels.
import type { Term } from '@faircopy/contract';
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import { asFault, type Fault } from '../../lib/fault.ts';
import { deferred } from '../../lib/time/deferred.ts';
import type { Session, SessionSummary } from '../../transcription/transcriber.ts';
import { AudioPump } from '../audio-pump.ts';
import { FrameQueue } from './frame-queue.ts';

export interface StreamChannel {
  readonly session: Session;
  readonly decoder: LiveDecoder;
  /** The session's summary, once it is done. */
  readonly summary: () => SessionSummary | undefined;
}

export interface StreamAudioListener {
  /** Too much audio is queued: stop reading until `room` is called. */
  full(): void;
  room(): void;
  /** Every session is done. */
  finished(summary: SessionSummary, audioSeconds: number): void;
  failed(fault: Fault): void;
}

interface Lane extends StreamChannel {
  readonly frames: FrameQueue;
  readonly pump: AudioPump;
}

export class StreamAudio {
  readonly #lanes: readonly Lane[];
  readonly #listener: StreamAudioListener;
  readonly #full = new Set<number>();
  #state: 'open' | 'ending' | 'over' = 'open';

  constructor(channels: readonly StreamChannel[], listener: StreamAudioListener) {
    this.#listener = listener;
    this.#lanes = channels.map((channel, index) => {
      const frames = new FrameQueue((level) => (level === 'full' ? this.#setFull(index) : this.#setRoom(index)));
      const pump = new AudioPump({ source: frames, decoder: channel.decoder, session: channel.session });
      pump.delivered.catch((thrown) => this.#fail(thrown));
      return { ...channel, frames, pump };
    });
  }

  /** Seconds of audio decoded so far. */
  get audioSeconds(): number {
    return Math.max(...this.#lanes.map(({ pump }) => pump.audioSeconds));
  }

  write(frame: Buffer): void {
    if (this.#state !== 'open') return;
    for (const { frames } of this.#lanes) frames.push(frame);
  }

  /** Ends the open utterances of all channels, or of one, after everything written so far and nothing else. */
  async flush(channel?: number): Promise<void> {
    const lanes = channel === undefined ? this.#lanes : this.#lanes.slice(channel, channel + 1);
    await Promise.all(lanes.map(flushLane));
  }

  setVocabulary(terms: readonly Term[]): void {
    for (const { session } of this.#lanes) session.setVocabulary(terms);
  }

  /** Call at the end marker; `finished` or `failed` follows. */
  finish(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    for (const { frames } of this.#lanes) frames.end();
    Promise.all(this.#lanes.map(({ pump }) => pump.finish())).then(
      () => this.#finished(),
      (thrown) => this.#fail(thrown),
    );
  }

  /** Stops everything at once; the listener is not called again. */
  cancel(): void {
    this.#state = 'over';
    for (const { frames, pump } of this.#lanes) {
      frames.close();
      pump.cancel();
    }
  }

  #setFull(index: number): void {
    this.#full.add(index);
    if (this.#state !== 'over') this.#listener.full();
  }

  #setRoom(index: number): void {
    this.#full.delete(index);
    if (this.#full.size === 0 && this.#state !== 'over') this.#listener.room();
  }

  #finished(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    const summaries = this.#lanes.flatMap(({ summary }) => summary() ?? []);
    this.#listener.finished(joined(summaries), this.audioSeconds);
  }

  #fail(thrown: unknown): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#listener.failed(asFault(thrown));
  }
}

/** Later audio waits until the utterance has ended, but not for its final. */
const flushLane = async ({ frames, decoder, session }: Lane): Promise<void> => {
  const ended = deferred<void>();
  await frames.mark(ended.promise);
  try {
    await decoder.drained();
    await session.flush(ended.resolve);
  } finally {
    ended.resolve();
  }
};

const joined = (summaries: readonly SessionSummary[]): SessionSummary => ({
  detectedLanguage: summaries.find(({ detectedLanguage }) => detectedLanguage !== null)?.detectedLanguage ?? null,
  outputTokenCount: summaries.reduce((total, { outputTokenCount }) => total + outputTokenCount, 0),
  recognitionMs: Math.max(...summaries.map(({ recognitionMs }) => recognitionMs)),
  refinementMs: Math.max(...summaries.map(({ refinementMs }) => refinementMs)),
  refinementFallback:
    summaries.find(({ refinementFallback }) => refinementFallback !== null)?.refinementFallback ?? null,
  ...(summaries.some(({ effort }) => effort === 'reduced') && { effort: 'reduced' as const }),
});
