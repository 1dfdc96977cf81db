// The transcriber before there is one: while the models load, requests are refused with the time to come back.
import type { ModelId } from '@faircopy/contract';
import { Fault } from '../platform/fault.ts';
import type { Admission, Session, SessionRequest, Transcriber } from './transcriber.ts';

const RETRY_AFTER_SECONDS = 5;

export class TranscriberGate implements Transcriber {
  #behind: Transcriber | undefined;

  /** From here on everything goes to the transcriber behind the gate. */
  openTo(transcriber: Transcriber): void {
    this.#behind = transcriber;
  }

  admit(model: ModelId): Admission {
    return this.#behind?.admit(model) ?? { admitted: false, retryAfterSeconds: RETRY_AFTER_SECONDS };
  }

  open(request: SessionRequest): Session {
    if (this.#behind === undefined)
      throw new Fault('SERVICE_UNAVAILABLE', {
        message: 'The models are being loaded.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    return this.#behind.open(request);
  }

  async close(): Promise<void> {
    await this.#behind?.close();
  }
}
