// How a stream can end: what each ending records, bills, sends and closes.
import { CLOSE_CODES, ERRORS } from '@faircopy/contract';
import type { ConnectionSettings, ConnectionState, Effect, Failure, OpenState, Step } from './connection-types.ts';

export const CLOSED: ConnectionState = { name: 'closed' };

/** A closing socket must be read, or the client's half of the closing handshake never arrives. */
export const resumeReading = (state: OpenState): Effect[] => (state.reading === 'paused' ? [{ type: 'resume' }] : []);

const record = (
  status: Extract<Effect, { type: 'record' }>['status'],
  { audioSeconds }: Pick<OpenState, 'audioSeconds'>,
  isBilled: boolean,
): Effect => ({ type: 'record', status, audioSeconds, isBilled });

/** The result is sent once its usage row is durable. */
export const recordSuccess = (audioSeconds: number): Step => ({
  state: { name: 'recording' },
  effects: [record('success', { audioSeconds }, true)],
});

const isBilledEarly = ({ sendsTextEarly }: ConnectionSettings, { audioSeconds }: OpenState): boolean =>
  sendsTextEarly === true && audioSeconds > 0;

/** The client sent nothing in time: close without a message. Billed only if text was sent before. */
export const timeOut = (state: OpenState, reason: string, settings: ConnectionSettings): Step => ({
  state: CLOSED,
  effects: [
    { type: 'cancel' },
    record('REQUEST_TIMEOUT', state, isBilledEarly(settings, state)),
    ...resumeReading(state),
    { type: 'close', code: CLOSE_CODES.policy, reason },
    { type: 'release_slot' },
  ],
});

/** One `error`, then the close. Billed only if text was sent before and the client caused the error. */
export const fail = (state: OpenState, failure: Failure, settings: ConnectionSettings): Step => {
  const isClientError = (ERRORS[failure.code].httpStatus ?? 500) < 500;
  return {
    state: CLOSED,
    effects: [
      { type: 'cancel' },
      record(failure.code, state, isClientError && isBilledEarly(settings, state)),
      ...resumeReading(state),
      ...sendError(failure),
      { type: 'release_slot' },
    ],
  };
};

export const sendError = ({ code, message, closeCode }: Failure): Effect[] => [
  { type: 'send_error', code, message },
  { type: 'close', code: closeCode ?? ERRORS[code].closeCode ?? CLOSE_CODES.internal, reason: code },
];

/** Ends a connection to a peer that does not respond. */
export const drop = (state: OpenState): Step => ({
  state: CLOSED,
  effects: [...disconnect(state), { type: 'drop' }],
});

/** The audio sent so far is billed, since work on it starts with its first sample. */
export const disconnect = (state: OpenState): Effect[] => [
  { type: 'cancel' },
  record(state.isAnswered ? 'success' : 'CLIENT_DISCONNECTED', state, state.audioSeconds > 0),
  { type: 'release_slot' },
];
