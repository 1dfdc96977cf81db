// Whether the service can take another call now: it is ready, and the queue leaves room. Throws the fault to answer with.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Readiness } from '../platform/readiness.ts';
import type { Transcriber } from '../transcription/transcriber.ts';
import { notReady, stopping, tooBusy } from './refusals.ts';

export class Admission {
  readonly #readiness: Readiness;
  readonly #transcriber: Transcriber;

  constructor(readiness: Readiness, transcriber: Transcriber) {
    this.#readiness = readiness;
    this.#transcriber = transcriber;
  }

  checkNotStopping(): void {
    if (this.#readiness.draining.aborted) throw stopping();
  }

  check(model: ModelId): void {
    this.#checkReady();
    const { admitted, retryAfterSeconds, reason } = this.#transcriber.admit(model);
    if (!admitted) throw tooBusy(retryAfterSeconds, reason);
  }

  /** For a call whose model is not known yet: some model must be free. */
  checkAny(): void {
    this.#checkReady();
    const answers = MODEL_IDS.map((model) => this.#transcriber.admit(model));
    if (!answers.some(({ admitted }) => admitted))
      throw tooBusy(Math.min(...answers.map(({ retryAfterSeconds }) => retryAfterSeconds)));
  }

  #checkReady(): void {
    const { state } = this.#readiness;
    // A call that began before the service was told to stop may go on.
    if (state !== 'ready' && state !== 'draining') throw notReady(this.#readiness);
  }
}
