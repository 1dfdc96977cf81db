// What a failure inside a session becomes for the caller: a 503 when the speech processes are down, else an internal error.
import { asFault, Fault } from '../../lib/fault.ts';
import { RecogniserUnavailable } from '../../speech/recogniser.ts';

/** Only what may work a moment later is retryable. A bug is INTERNAL_ERROR, with the bug as its cause. */
export const sessionFault = (failure: unknown): Fault =>
  failure instanceof RecogniserUnavailable
    ? new Fault('SERVICE_UNAVAILABLE', { message: 'The audio could not be recognised just now.', cause: failure })
    : asFault(failure);
