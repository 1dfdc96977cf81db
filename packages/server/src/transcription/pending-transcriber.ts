// A placeholder for the transcriber while the models load: refuses requests with a retry time.
import { Fault } from '../lib/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../lib/time/retry-after.ts';
import type {
  AdmissionAnswer,
  AdmissionRequest,
  Session,
  SessionListener,
  SessionRequest,
  Transcriber,
} from './transcriber.ts';

export class PendingTranscriber implements Transcriber {
  #transcriber: Transcriber | undefined;

  /** Delegates everything to this transcriber from now on. */
  attach(transcriber: Transcriber): void {
    this.#transcriber = transcriber;
  }

  admit(request: AdmissionRequest): AdmissionAnswer {
    return this.#transcriber?.admit(request) ?? { admitted: false, retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT };
  }

  open(request: SessionRequest, listener: SessionListener): Session {
    if (this.#transcriber) return this.#transcriber.open(request, listener);
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: 'The models are being loaded.',
      retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
    });
  }

  async close(): Promise<void> {
    await this.#transcriber?.close();
  }
}
