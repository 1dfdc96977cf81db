// The ways a stream can end: what is recorded, billed, said and closed in each.
import { billedSeconds, CLOSE_CODES, ERRORS } from '@faircopy/contract';
import {
  audioSecondsOf,
  type ConnectionSettings,
  type ConnectionState,
  type Effect,
  type Failure,
  type StateUnderWay,
  type Step,
} from './connection-types.ts';

export const CLOSED: ConnectionState = { name: 'closed' };

/** A socket that closes must be read, or the client's half of the closing handshake is never seen. */
export const letFlow = (state: StateUnderWay): Effect[] => (state.reading === 'held' ? [{ type: 'resume' }] : []);

/** The answer is there; it leaves when its row is durable. */
export const recordSuccess = (audioSeconds: number): Step => ({
  state: { name: 'recording' },
  effects: [{ type: 'record', status: 'success', audioSeconds, billedSeconds: billedSeconds(audioSeconds) }],
});

/** The client kept us waiting: closed without a message, and not billed. */
export const timeOut = (state: StateUnderWay, reason: string, settings: ConnectionSettings): Step => ({
  state: CLOSED,
  effects: [
    { type: 'cancel' },
    { type: 'record', status: 'REQUEST_TIMEOUT', audioSeconds: audioSecondsOf(state, settings), billedSeconds: 0 },
    ...letFlow(state),
    { type: 'close', code: CLOSE_CODES.policy, reason },
    { type: 'release_slot' },
  ],
});

/** One `error`, then the close. An error is not billed, unless text was given before it and the client is at fault. */
export const fail = (state: StateUnderWay, failure: Failure, settings: ConnectionSettings): Step => {
  const audioSeconds = audioSecondsOf(state, settings);
  const isBilled = settings.isLive && audioSeconds > 0 && (ERRORS[failure.code].httpStatus ?? 500) < 500;
  return {
    state: CLOSED,
    effects: [
      { type: 'cancel' },
      {
        type: 'record',
        status: failure.code,
        audioSeconds,
        billedSeconds: isBilled ? billedSeconds(audioSeconds) : 0,
      },
      ...letFlow(state),
      ...tell(failure),
      { type: 'release_slot' },
    ],
  };
};

export const tell = (failure: Failure): Effect[] => [
  { type: 'send_error', code: failure.code, message: failure.message },
  {
    type: 'close',
    code: failure.closeCode ?? ERRORS[failure.code].closeCode ?? CLOSE_CODES.internal,
    reason: failure.code,
  },
];

/** The client is gone: the audio it sent is billed, since work on it starts with its first sample. */
export const leave = (state: StateUnderWay, settings: ConnectionSettings): Effect[] => {
  const audioSeconds = audioSecondsOf(state, settings);
  return [
    { type: 'cancel' },
    {
      type: 'record',
      status: settings.isAnswered?.() ? 'success' : 'CLIENT_DISCONNECTED',
      audioSeconds,
      billedSeconds: audioSeconds > 0 ? billedSeconds(audioSeconds) : 0,
    },
    { type: 'release_slot' },
  ];
};
