// Whether the service can take another call now: it is ready, and the queue leaves room. Throws the fault to answer with.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { Readiness } from '../platform/readiness.ts';
import type { Transcriber } from '../transcription/transcriber.ts';
import { notReady, stopping, tooBusy, waitingLimitReached } from './refusals.ts';

type Answer = ReturnType<Transcriber['admit']>;

const refusal = ({ ownLimit, retryAfterSeconds, reason }: Omit<Answer, 'reason'> & { reason?: string | undefined }) =>
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

  check(model: ModelId, principal: Principal): void {
    this.#checkReady();
    const answer = this.#ask(model, principal);
    if (!answer.admitted) throw refusal(answer);
  }

  /** For a call whose model is not known yet: some model must be free. */
  checkAny(principal: Principal): void {
    this.#checkReady();
    const answers = MODEL_IDS.map((model) => this.#ask(model, principal));
    if (answers.some(({ admitted }) => admitted)) return;
    const [soonest] = answers.sort((a, b) => a.retryAfterSeconds - b.retryAfterSeconds);
    throw refusal({ ...soonest!, reason: undefined });
  }

  #ask(model: ModelId, { accountId, limits }: Principal): Answer {
    return this.#transcriber.admit({ model, accountId, waitingSecondsMax: limits.maxWaitingSeconds });
  }

  #checkReady(): void {
    const { state } = this.#readiness;
    // A call that began before the service was told to stop may go on.
    if (state !== 'ready' && state !== 'draining') throw notReady(this.#readiness);
  }
}
