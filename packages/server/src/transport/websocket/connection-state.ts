// The life of one stream as a pure function: (state, event) → (state, effects). Time comes in with the events.
import { CLOSE_CODES } from '@faircopy/contract';
import { CLOSED, fail, leave, letFlow, recordSuccess, tell, timeOut } from './connection-ends.ts';
import {
  audioSecondsOf,
  type ConnectionEvent,
  type ConnectionSettings,
  type ConnectionState,
  type Failure,
  isUnderWay,
  MISSED_PINGS_MAX,
  type Open,
  type StateUnderWay,
  type Step,
} from './connection-types.ts';

const stay = (state: ConnectionState): Step => ({ state, effects: [] });
const openPart = ({ audioBytes, reading, nextPingAtMs, pingsUnanswered, drainByMs }: StateUnderWay): Open => ({
  audioBytes,
  reading,
  nextPingAtMs,
  pingsUnanswered,
  drainByMs,
});
/** Events that only a living peer can cause. */
const SIGNS_OF_LIFE: ReadonlySet<ConnectionEvent['type']> = new Set(['audio', 'keep_alive', 'close_stream', 'alive']);

/** A connection whose handshake has just succeeded. */
export const openConnection = (settings: ConnectionSettings, atMs: number): ConnectionState => ({
  name: 'awaiting',
  firstFrameByMs: atMs + settings.firstFrameTimeoutMs,
  audioBytes: 0,
  reading: 'flowing',
  nextPingAtMs: atMs + settings.pingIntervalMs,
  pingsUnanswered: 0,
  drainByMs: null,
});

/** The moment of the next `tick` this state needs; null when it needs none. */
export const nextTickAtMs = (state: ConnectionState): number | null => {
  if (!isUnderWay(state)) return null;
  const deadlines = [state.nextPingAtMs, state.drainByMs, stageDeadlineMs(state)];
  return Math.min(...deadlines.filter((deadline) => deadline !== null));
};

const stageDeadlineMs = (state: StateUnderWay): number | null => {
  switch (state.name) {
    case 'awaiting':
      return state.firstFrameByMs;
    case 'streaming':
      return state.reading === 'held' ? null : state.idleByMs;
    case 'finalizing':
      return state.finalizeByMs;
  }
};

export const step = (state: ConnectionState, event: ConnectionEvent, settings: ConnectionSettings): Step => {
  // A deadline that passed before this event counts first, and one that the event itself sets to "at once" counts too.
  const before = expire(state, event.atMs, settings);
  const during = advance(before.state, event, settings);
  const after = expire(during.state, event.atMs, settings);
  return { state: after.state, effects: [...before.effects, ...during.effects, ...after.effects] };
};

const advance = (state: ConnectionState, event: ConnectionEvent, settings: ConnectionSettings): Step => {
  if (state.name === 'closed') return stay(state);
  if (state.name === 'recording') return advanceRecording(state, event);
  const alive = SIGNS_OF_LIFE.has(event.type) ? { ...state, pingsUnanswered: 0 } : state;
  switch (event.type) {
    case 'audio':
      return takeAudio(alive, event.bytes, event.atMs, settings);
    case 'keep_alive':
      return stay(keptAlive(alive, event.atMs, settings));
    case 'close_stream':
      return finish(alive, event.atMs, settings);
    case 'full':
      return alive.name === 'streaming' && alive.reading === 'flowing'
        ? { state: { ...alive, reading: 'held' }, effects: [{ type: 'pause' }] }
        : stay(alive);
    case 'room':
      return alive.name === 'streaming' && alive.reading === 'held'
        ? {
            state: { ...alive, reading: 'flowing', idleByMs: event.atMs + settings.idleTimeoutMs },
            effects: [{ type: 'resume' }],
          }
        : stay(alive);
    case 'transcribed':
      return alive.name === 'finalizing' ? recordSuccess(event.audioSeconds) : stay(alive);
    case 'failed':
      return fail(alive, event.failure, settings);
    case 'left':
      return { state: CLOSED, effects: leave(alive, settings) };
    case 'drain':
      return drain(alive, event.atMs, settings);
    case 'alive':
    case 'recorded':
    case 'unrecorded':
    case 'tick':
      return stay(alive);
  }
};

const keptAlive = (state: StateUnderWay, atMs: number, settings: ConnectionSettings): StateUnderWay => {
  if (state.name === 'streaming') return { ...state, idleByMs: atMs + settings.idleTimeoutMs };
  if (state.name === 'awaiting' && settings.isLive)
    return { ...state, firstFrameByMs: atMs + settings.firstFrameTimeoutMs };
  return state;
};

/** The answer is decided; what the client sends now is of no account, and only the ledger can take it back. */
const advanceRecording = (state: ConnectionState, event: ConnectionEvent): Step => {
  switch (event.type) {
    case 'recorded':
      return {
        state: CLOSED,
        effects: [
          { type: 'send_result' },
          { type: 'close', code: CLOSE_CODES.done, reason: 'done' },
          { type: 'release_slot' },
        ],
      };
    case 'unrecorded':
      return { state: CLOSED, effects: [...tell(event.failure), { type: 'release_slot' }] };
    case 'left':
      return { state: CLOSED, effects: [{ type: 'release_slot' }] };
    default:
      return stay(state);
  }
};

const takeAudio = (state: StateUnderWay, bytes: number, atMs: number, settings: ConnectionSettings): Step => {
  if (state.name === 'finalizing') return stay(state);
  const next: ConnectionState = {
    ...openPart(state),
    audioBytes: state.audioBytes + bytes,
    name: 'streaming',
    idleByMs: atMs + settings.idleTimeoutMs,
  };
  if (audioSecondsOf(next, settings) > settings.maxStreamSeconds) {
    const message = `A stream may hold ${settings.maxStreamSeconds} seconds of audio at most.`;
    if (settings.isLive) return finish(state, atMs, settings, message);
    return fail(state, { code: 'AUDIO_TOO_LONG', message }, settings);
  }
  return { state: next, effects: [{ type: 'transcribe_audio' }] };
};

const finish = (state: StateUnderWay, atMs: number, settings: ConnectionSettings, reason?: string): Step => {
  if (state.name === 'finalizing') return stay(state);
  if (state.audioBytes === 0 || (!settings.measuredSeconds && audioSecondsOf(state, settings) === 0)) {
    const answer = recordSuccess(0);
    return { state: answer.state, effects: [...letFlow(state), { type: 'cancel' }, ...answer.effects] };
  }
  return {
    // Audio is ignored from here on, so reading need not be held any more.
    state: {
      ...openPart(state),
      reading: 'flowing',
      name: 'finalizing',
      finalizeByMs: atMs + settings.finalizeTimeoutMs,
    },
    effects: [...letFlow(state), { type: 'finish', ...(reason !== undefined && { reason }) }],
  };
};

const drain = (state: StateUnderWay, atMs: number, settings: ConnectionSettings): Step => {
  if (state.drainByMs !== null) return stay(state);
  if (state.name === 'awaiting') return fail(state, RESTARTING, settings);
  return stay({ ...state, drainByMs: atMs + settings.drainTimeoutMs });
};

const RESTARTING: Failure = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The server is restarting. Connect again.',
  closeCode: CLOSE_CODES.restart,
};

/** Deadlines that have passed at `atMs`. */
const expire = (state: ConnectionState, atMs: number, settings: ConnectionSettings): Step => {
  if (!isUnderWay(state)) return stay(state);
  const deadlineMs = stageDeadlineMs(state);
  if (deadlineMs !== null && atMs >= deadlineMs) return expireStage(state, atMs, settings);
  if (state.drainByMs !== null && atMs >= state.drainByMs) return fail(state, RESTARTING, settings);
  if (atMs < state.nextPingAtMs) return stay(state);
  const nextPingAtMs = atMs + settings.pingIntervalMs;
  // Answers may be waiting unread behind the audio: nothing is missed while reading is held.
  if (state.reading === 'held') return stay({ ...state, nextPingAtMs });
  if (state.pingsUnanswered >= MISSED_PINGS_MAX) {
    return { state: CLOSED, effects: [...leave(state, settings), { type: 'drop' }] };
  }
  return {
    state: { ...state, nextPingAtMs, pingsUnanswered: state.pingsUnanswered + 1 },
    effects: [{ type: 'ping' }],
  };
};

const expireStage = (state: StateUnderWay, atMs: number, settings: ConnectionSettings): Step => {
  switch (state.name) {
    case 'awaiting':
      return timeOut(state, `no audio within ${settings.firstFrameTimeoutMs} ms of connecting`, settings);
    case 'streaming': {
      const reason = `idle: no audio or keep_alive for ${settings.idleTimeoutMs} ms`;
      return settings.isLive ? finish(state, atMs, settings, reason) : timeOut(state, reason, settings);
    }
    case 'finalizing': {
      const message = 'The transcript was not ready in time. Nothing was billed; try again.';
      return fail(state, { code: 'SERVICE_UNAVAILABLE', message }, settings);
    }
  }
};
