// The life of one stream as a pure function: (state, event) → (state, effects). Time and progress come with the events.
import { CLOSE_CODES } from '@faircopy/contract';
import { CLOSED, disconnect, drop, fail, recordSuccess, resumeReading, sendError, timeOut } from './connection-ends.ts';
import {
  type ConnectionEvent,
  type ConnectionSettings,
  type ConnectionState,
  type Failure,
  isOpen,
  MISSED_PINGS_MAX,
  type Open,
  type OpenState,
  type Step,
  type TimedEvent,
} from './connection-types.ts';

const stay = (state: ConnectionState): Step => ({ state, effects: [] });
const openPart = (state: OpenState): Open => ({
  audioSeconds: state.audioSeconds,
  isAnswered: state.isAnswered,
  reading: state.reading,
  nextPingAtMs: state.nextPingAtMs,
  pingsUnanswered: state.pingsUnanswered,
  drainByMs: state.drainByMs,
});
const SIGNS_OF_LIFE: ReadonlySet<ConnectionEvent['type']> = new Set([
  'audio',
  'keep_alive',
  'close_stream',
  'heartbeat',
]);

/** A connection whose handshake has just succeeded. */
export const openConnection = (settings: ConnectionSettings, atMs: number): ConnectionState => ({
  name: 'awaiting',
  firstFrameByMs: atMs + settings.firstFrameTimeoutMs,
  audioSeconds: 0,
  isAnswered: false,
  reading: 'flowing',
  nextPingAtMs: atMs + settings.pingIntervalMs,
  pingsUnanswered: 0,
  drainByMs: null,
});

/** When this state needs its next `tick`; null when it needs none. */
export const nextTickAtMs = (state: ConnectionState): number | null => {
  if (!isOpen(state)) return null;
  const deadlines = [state.nextPingAtMs, state.drainByMs, stageDeadlineMs(state)];
  return Math.min(...deadlines.filter((deadline) => deadline !== null));
};

const stageDeadlineMs = (state: OpenState): number | null => {
  switch (state.name) {
    case 'awaiting':
      return state.firstFrameByMs;
    case 'streaming':
      return state.reading === 'paused' ? null : state.idleByMs;
    case 'finalizing':
      return state.finalizeByMs;
  }
};

export const step = (state: ConnectionState, event: TimedEvent, settings: ConnectionSettings): Step => {
  // Deadlines that passed before this event apply first. The event may also set a deadline that has already passed.
  const before = expire(withProgress(state, event), event.atMs, settings);
  const during = advance(before.state, event, settings);
  const after = expire(during.state, event.atMs, settings);
  return { state: after.state, effects: [...before.effects, ...during.effects, ...after.effects] };
};

/** `audio` and `transcribed` carry their own length, which counts only once they are accepted. */
const withProgress = (state: ConnectionState, { type, audioSeconds, isAnswered }: TimedEvent): ConnectionState => {
  if (!isOpen(state)) return state;
  const isAccepted = type !== 'audio' && type !== 'transcribed';
  return { ...state, isAnswered, audioSeconds: isAccepted ? audioSeconds : state.audioSeconds };
};

const advance = (state: ConnectionState, event: TimedEvent, settings: ConnectionSettings): Step => {
  if (state.name === 'closed') return stay(state);
  if (state.name === 'recording') return advanceRecording(state, event);
  const alive = SIGNS_OF_LIFE.has(event.type) ? { ...state, pingsUnanswered: 0 } : state;
  switch (event.type) {
    case 'audio':
      return acceptAudio(alive, event, settings);
    case 'keep_alive':
      return stay(keepAlive(alive, event.atMs, settings));
    case 'close_stream':
      return finish(alive, event.atMs, settings);
    case 'queue_full':
      return alive.name === 'streaming' && alive.reading === 'flowing'
        ? { state: { ...alive, reading: 'paused' }, effects: [{ type: 'pause' }] }
        : stay(alive);
    case 'queue_ready':
      return alive.name === 'streaming' && alive.reading === 'paused'
        ? {
            state: { ...alive, reading: 'flowing', idleByMs: event.atMs + settings.idleTimeoutMs },
            effects: [{ type: 'resume' }],
          }
        : stay(alive);
    case 'transcribed':
      return alive.name === 'finalizing' ? recordSuccess(event.audioSeconds) : stay(alive);
    case 'failed':
      return fail(alive, event.failure, settings);
    case 'disconnected':
      return { state: CLOSED, effects: disconnect(alive) };
    case 'unread':
      return drop(alive);
    case 'drain':
      return drain(alive, event.atMs, settings);
    case 'heartbeat':
    case 'recorded':
    case 'record_failed':
    case 'tick':
      return stay(alive);
  }
};

const keepAlive = (state: OpenState, atMs: number, settings: ConnectionSettings): OpenState => {
  if (state.name === 'streaming') return { ...state, idleByMs: atMs + settings.idleTimeoutMs };
  if (state.name === 'awaiting' && settings.isLive)
    return { ...state, firstFrameByMs: atMs + settings.firstFrameTimeoutMs };
  return state;
};

/** The outcome is decided: messages from the client are ignored, and only the ledger can still change it. */
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
    case 'record_failed':
      return { state: CLOSED, effects: [...sendError(event.failure), { type: 'release_slot' }] };
    case 'disconnected':
      return { state: CLOSED, effects: [{ type: 'release_slot' }] };
    default:
      return stay(state);
  }
};

const acceptAudio = (
  state: OpenState,
  { audio, audioSeconds, atMs }: Extract<TimedEvent, { type: 'audio' }>,
  settings: ConnectionSettings,
): Step => {
  if (state.name === 'finalizing') return stay(state);
  if (audioSeconds > settings.maxStreamSeconds) {
    const message = `A stream may hold ${settings.maxStreamSeconds} seconds of audio at most.`;
    if (settings.isLive) return finish(state, atMs, settings, message);
    return fail(state, { code: 'AUDIO_TOO_LONG', message }, settings);
  }
  return {
    state: { ...openPart(state), name: 'streaming', audioSeconds, idleByMs: atMs + settings.idleTimeoutMs },
    effects: [{ type: 'transcribe_audio', audio }],
  };
};

const finish = (state: OpenState, atMs: number, settings: ConnectionSettings, reason?: string): Step => {
  if (state.name === 'finalizing') return stay(state);
  // The length of compressed live audio is unknown until it is decoded, so zero seconds may still be speech there.
  if (state.name === 'awaiting' || (state.audioSeconds === 0 && !settings.isLive)) {
    const { state: recording, effects } = recordSuccess(0);
    return { state: recording, effects: [...resumeReading(state), { type: 'cancel' }, ...effects] };
  }
  return {
    // Audio is ignored from here on, so reading need not be paused any more.
    state: {
      ...openPart(state),
      reading: 'flowing',
      name: 'finalizing',
      finalizeByMs: atMs + settings.finalizeTimeoutMs,
    },
    effects: [...resumeReading(state), { type: 'finish', ...(reason !== undefined && { reason }) }],
  };
};

const drain = (state: OpenState, atMs: number, settings: ConnectionSettings): Step => {
  if (state.drainByMs !== null) return stay(state);
  if (state.name === 'awaiting') return fail(state, RESTARTING, settings);
  return stay({ ...state, drainByMs: atMs + settings.drainTimeoutMs });
};

const RESTARTING: Failure = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The server is restarting. Connect again.',
  closeCode: CLOSE_CODES.restart,
};

/** Applies deadlines that have passed at `atMs`. */
const expire = (state: ConnectionState, atMs: number, settings: ConnectionSettings): Step => {
  if (!isOpen(state)) return stay(state);
  const deadlineMs = stageDeadlineMs(state);
  if (deadlineMs !== null && atMs >= deadlineMs) return expireStage(state, atMs, settings);
  if (state.drainByMs !== null && atMs >= state.drainByMs) return fail(state, RESTARTING, settings);
  if (atMs < state.nextPingAtMs) return stay(state);
  const nextPingAtMs = atMs + settings.pingIntervalMs;
  // While reading is paused, pongs may wait unread behind the audio. Pings still tell the client that the server works.
  const isCounted = state.reading !== 'paused';
  if (isCounted && state.pingsUnanswered >= MISSED_PINGS_MAX) {
    return drop(state);
  }
  return {
    state: { ...state, nextPingAtMs, pingsUnanswered: state.pingsUnanswered + (isCounted ? 1 : 0) },
    effects: [{ type: 'ping' }],
  };
};

const expireStage = (state: OpenState, atMs: number, settings: ConnectionSettings): Step => {
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
