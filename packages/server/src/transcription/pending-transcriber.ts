// Stands in for the transcriber while the models load: requests are refused with the time to come back.
import { Fault } from '../platform/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../platform/retry-after.ts';
import type { Admission, AdmissionRequest, Session, SessionRequest, Transcriber } from './transcriber.ts';

export class PendingTranscriber implements Transcriber {
  #transcriber: Transcriber | undefined;

  /** From here on everything goes to this transcriber. */
  attach(transcriber: Transcriber): void {
    this.#transcriber = transcriber;
  }

  admit(request: AdmissionRequest): Admission {
    return this.#transcriber?.admit(request) ?? { admitted: false, retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT };
  }

  open(request: SessionRequest): Session {
    if (this.#transcriber === undefined)
      throw new Fault('SERVICE_UNAVAILABLE', {
        message: 'The models are being loaded.',
        retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
      });
    return this.#transcriber.open(request);
  }

  async close(): Promise<void> {
    await this.#transcriber?.close();
  }
}
