// Pumps audio into a session: reads encoded bytes from a source, decodes them and writes the samples.
import { samplesToSeconds } from '../audio/pcm.ts';
import type { UploadDecoder } from '../audio/upload-decoding.ts';
import { Fault } from '../lib/fault.ts';
import type { Session } from '../transcription/transcriber.ts';

/** Once all bytes have arrived, this much audio may be written ahead of the session, so that its time-outs start. */
const EAGER_SECONDS_MAX = 300;
/** Well below the maximum of setTimeout, 2^31 - 1 ms. */
const TIMER_MS_MAX = 24 * 60 * 60_000;

export interface AudioPumpParts {
  /** Encoded audio, in order; the next chunk is read when the decoder wants more. */
  readonly source: AsyncIterable<Uint8Array>;
  readonly decoder: UploadDecoder;
  readonly session: Session;
  /** How long the session may leave samples waiting when this much audio is decoded. Default: no limit. */
  readonly stuckAfterMs?: (audioSeconds: number) => number;
  /** Whether the caller is now waiting for the answer; then the session's own time-outs apply. */
  readonly isAwaited?: () => boolean;
}

export class AudioPump {
  readonly #parts: AudioPumpParts;
  /** Resolves when the session has every sample; rejects with what went wrong. */
  readonly delivered: Promise<void>;
  #state: 'running' | 'cancelled' = 'running';
  #eagerSamples = 0;

  constructor(parts: AudioPumpParts) {
    this.#parts = parts;
    const delivered = this.#deliver();
    // A failed decoder must not wait for the source, and a failed source must not leave the decoder waiting for bytes.
    this.delivered = Promise.all([Promise.race([this.#feed(), delivered]), delivered]).then(() => undefined);
    this.delivered.catch(() => undefined);
  }

  /** Seconds of audio; exact once everything is delivered. */
  get audioSeconds(): number {
    return this.#parts.decoder.durationSeconds;
  }

  /** Waits for the last sample, then for the session. Decoding counts as part of the recognition stage. */
  async finish(): Promise<void> {
    const { session, stuckAfterMs, decoder } = this.#parts;
    const startedMs = performance.now();
    await this.#within(this.delivered);
    await session.finish(stuckAfterMs === undefined ? 0 : performance.now() - startedMs, decoder.channelActivity);
  }

  /** Stops decoding and recognition; pending promises settle. Safe at any time. */
  cancel(): void {
    this.#state = 'cancelled';
    this.#parts.decoder.abort();
    this.#parts.session.cancel();
  }

  async #feed(): Promise<void> {
    const { source, decoder } = this.#parts;
    for await (const bytes of source) {
      if (this.#state === 'cancelled') return;
      await decoder.write(bytes);
    }
    decoder.end();
  }

  async #deliver(): Promise<void> {
    for await (const samples of this.#parts.decoder) await this.#give(samples);
  }

  /** While bytes arrive, the session sets the pace. Afterwards samples are written ahead of it, up to a limit. */
  #give(samples: Float32Array): Promise<void> | undefined {
    const { session, isAwaited } = this.#parts;
    const taken = this.#within(session.write(samples));
    if (!isAwaited?.()) return taken;
    this.#eagerSamples += samples.length;
    const onTaken = () => {
      this.#eagerSamples -= samples.length;
    };
    // The session's finish() rejects with the same failure.
    taken.then(onTaken, onTaken);
    return samplesToSeconds(this.#eagerSamples) > EAGER_SECONDS_MAX ? taken : undefined;
  }

  /** Fails when the session does not take audio in time: recognition takes too long. */
  async #within(work: Promise<void>): Promise<void> {
    const { stuckAfterMs } = this.#parts;
    if (stuckAfterMs === undefined) return work;
    const startedMs = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const check = (): void => {
        // More may have been decoded since, which allows more time.
        const leftMs = startedMs + stuckAfterMs(this.audioSeconds) - performance.now();
        if (leftMs > 0) timer = setTimeout(check, Math.min(leftMs, TIMER_MS_MAX));
        else reject(new Fault('SERVICE_UNAVAILABLE', { message: 'Recognition took too long. Nothing is billed.' }));
      };
      check();
    });
    try {
      await Promise.race([work, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
