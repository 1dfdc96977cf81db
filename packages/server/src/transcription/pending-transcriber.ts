// Stands in for the transcriber while the models load: requests are refused with the time to come back.
import { Fault } from '../lib/fault.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../lib/time/retry-after.ts';
import type { LiveListener, LiveRequest, LiveSession, LiveTranscriber } from './live/live-session.ts';
import type { Admission, AdmissionRequest, Session, SessionRequest } from './transcriber.ts';

export class PendingTranscriber implements LiveTranscriber {
  #transcriber: LiveTranscriber | undefined;

  /** From here on everything goes to this transcriber. */
  attach(transcriber: LiveTranscriber): void {
    this.#transcriber = transcriber;
  }

  admit(request: AdmissionRequest): Admission {
    return this.#transcriber?.admit(request) ?? { admitted: false, retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT };
  }

  open(request: SessionRequest): Session {
    return this.#loaded().open(request);
  }

  openLive(request: LiveRequest, listener: LiveListener): LiveSession {
    return this.#loaded().openLive(request, listener);
  }

  async close(): Promise<void> {
    await this.#transcriber?.close();
  }

  #loaded(): LiveTranscriber {
    if (this.#transcriber) return this.#transcriber;
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: 'The models are being loaded.',
      retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
    });
  }
}
