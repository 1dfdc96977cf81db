// Turns a failure inside a session into a fault: 503 when the speech processes are down, else an internal error.
import { asFault, Fault } from '../../lib/fault.ts';
import { RecogniserUnavailable } from '../../speech/recogniser.ts';

/** Only temporary failures are retryable. A bug is INTERNAL_ERROR, with the bug as its cause. */
export const sessionFault = (failure: unknown): Fault =>
  failure instanceof RecogniserUnavailable
    ? new Fault('SERVICE_UNAVAILABLE', { message: 'Speech recognition is temporarily unavailable.', cause: failure })
    : asFault(failure);
