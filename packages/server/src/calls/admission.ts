// Checks whether the server can take another call now; throws the fault to answer with.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { Readiness } from '../observability/readiness.ts';
import type { AdmissionAnswer, AdmissionStep, Transcriber } from '../transcription/transcriber.ts';
import { notReady, stopping, tooBusy, waitingLimitReached } from './refusals.ts';

type Mode = 'file' | 'stream';

const refusal = ({ ownLimit, retryAfterSeconds, reason }: AdmissionAnswer) =>
  ownLimit ? waitingLimitReached(retryAfterSeconds) : tooBusy(retryAfterSeconds, reason);

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

  /** Admits a request that starts now with this model. */
  check(mode: Mode, model: ModelId, principal: Principal): void {
    this.#check('begin', mode, [model], principal);
  }

  /** Admits a file whose model is not known yet: at least one model must have capacity. */
  checkAny(principal: Principal): void {
    this.#check('enter', 'file', MODEL_IDS, principal);
  }

  /** Checks without reserving anything. */
  ask(mode: Mode, model: ModelId, principal: Principal): void {
    this.#check('ask', mode, [model], principal);
  }

  #check(step: AdmissionStep, mode: Mode, models: readonly ModelId[], { accountId, limits }: Principal): void {
    this.#checkReady();
    const answer = this.#transcriber.admit({
      step,
      mode,
      models,
      accountId,
      waitingSecondsMax: limits.maxWaitingSeconds,
    });
    if (!answer.admitted) throw refusal(answer);
  }

  #checkReady(): void {
    const { state } = this.#readiness;
    // A call that began before the drain may continue.
    if (state !== 'ready' && state !== 'draining') throw notReady(this.#readiness);
  }
}
