// One open stream: turns socket and session activity into events and performs the resulting effects.
import type { StreamCall } from '../../calls/streams/stream-call.ts';
import { asFault } from '../../lib/fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { nextTickAtMs, openConnection, step } from './connection-state.ts';
import type {
  ConnectionEvent,
  ConnectionSettings,
  ConnectionState,
  Effect,
  Failure,
  TimedEvent,
} from './connection-types.ts';
import { ControlBudget } from './control-budget.ts';
import type { StreamSocket } from './socket.ts';
import type { ProtocolContext, StreamProtocol } from './stream-protocol.ts';
import { FLOOD, violation } from './violations.ts';

/** Unsent bytes past which pings are not answered, because the peer does not read. */
const UNSENT_BYTES_FOR_PONG = 16 * 1024;
/** Unsent bytes past which the connection is dropped, so that a peer that does not read cannot fill the memory. */
const UNSENT_BYTES_MAX = 1024 * 1024;
/** WebSocket allows 123 bytes; all reasons are ASCII. */
const CLOSE_REASON_MAX = 120;

export interface ConnectionParts {
  readonly call: StreamCall;
  readonly settings: ConnectionSettings;
  readonly clock: Clock;
  readonly openProtocol: (context: ProtocolContext) => StreamProtocol;
}

export class StreamConnection {
  readonly #socket: StreamSocket;
  readonly #parts: ConnectionParts;
  readonly #budget: ControlBudget;
  readonly #queue: TimedEvent[] = [];
  readonly #pending: Promise<unknown>[] = [];
  #state: ConnectionState;
  #performing: 'no' | 'yes' = 'no';
  readonly #protocol: StreamProtocol;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  /** Resolves when the socket is closed, the usage row written and the slot released. */
  readonly ended: Promise<void>;

  constructor(socket: StreamSocket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    const openedAtMs = parts.clock.monotonicMs();
    this.#budget = new ControlBudget(openedAtMs);
    this.#state = openConnection(parts.settings, openedAtMs);
    this.#protocol = parts.openProtocol({
      call: parts.call,
      dispatch: (event) => this.#dispatch(event),
      send: (message) => this.#send(message),
      fail: (thrown) => this.#fail(thrown),
    });
    this.ended = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#dispatch({ type: 'disconnected' });
        resolve();
      });
    }).then(async () => {
      await Promise.allSettled(this.#pending);
    });
    this.#listen();
    this.#protocol.opened?.();
    this.#dispatch({ type: 'tick' });
  }

  /** The server is stopping: the stream must end within the drain time-out. */
  drain(): void {
    this.#dispatch({ type: 'drain' });
  }

  #listen(): void {
    const socket = this.#socket;
    socket.onViolation = (closeCode) => this.#dispatch({ type: 'failed', failure: violation(closeCode) });
    this.#parts.call.onAccessLost((fault) => this.#fail(fault));
    socket.onLeaving = () => this.#dispatch({ type: 'disconnected' });
    // The `close` event that follows handles it; without a listener the process would crash.
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (this.#state.name === 'closed') return;
      try {
        this.#take(data, isBinary);
      } catch (thrown) {
        this.#fail(thrown);
      }
    });
    socket.on('ping', (data: Buffer) => {
      if (!this.#spendControlBudget(data.length)) return;
      if (socket.bufferedAmount < UNSENT_BYTES_FOR_PONG) socket.pong(data);
      this.#dispatch({ type: 'heartbeat' });
    });
    socket.on('pong', (data: Buffer) => {
      if (this.#spendControlBudget(data.length)) this.#dispatch({ type: 'heartbeat' });
    });
  }

  #take(data: Buffer, isBinary: boolean): void {
    const message = this.#protocol.read(data, isBinary);
    if (message.kind === 'audio') {
      this.#dispatch({ type: 'audio', audio: message.audio, audioSeconds: message.audioSeconds });
      return;
    }
    if (!this.#spendControlBudget(data.length)) return;
    if (message.command !== undefined) this.#protocol.perform?.(message.command);
    this.#dispatch(message.event);
  }

  /** Returns false, and ends the stream, when the peer floods the connection with control messages. */
  #spendControlBudget(bytes: number): boolean {
    if (this.#state.name === 'closed') return false;
    if (this.#budget.spend(bytes, this.#parts.clock.monotonicMs())) return true;
    this.#dispatch({ type: 'failed', failure: FLOOD });
    return false;
  }

  #dispatch(event: ConnectionEvent): void {
    this.#queue.push({ atMs: this.#parts.clock.monotonicMs(), ...this.#protocol.progress, ...event });
    // An effect may cause another event, which is handled after the current one.
    if (this.#performing === 'yes') return;
    this.#performing = 'yes';
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const { state, effects } = step(this.#state, next, this.#parts.settings);
      this.#state = state;
      for (const effect of effects) this.#attempt(effect);
    }
    this.#performing = 'no';
    this.#arm();
  }

  /** A protocol that throws ends its own stream, whose other effects must follow: the slot would stay taken. */
  #attempt(effect: Effect): void {
    try {
      this.#perform(effect);
    } catch (thrown) {
      this.#dispatch({ type: effect.type === 'record' ? 'record_failed' : 'failed', failure: this.#failure(thrown) });
    }
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'transcribe_audio':
        this.#protocol.write(effect.audio);
        return;
      case 'finish':
        this.#parts.call.markReceived();
        this.#protocol.finish(effect.reason);
        return;
      case 'cancel':
        this.#protocol.cancel();
        return;
      case 'record':
        this.#record(effect);
        return;
      case 'send_result':
        for (const message of this.#protocol.result()) this.#send(message);
        return;
      case 'send_error':
        for (const message of this.#protocol.error(effect)) this.#send(message);
        return;
      case 'close':
        this.#close(effect.code, effect.reason);
        return;
      case 'drop':
        this.#socket.terminate();
        return;
      case 'ping':
        this.#socket.ping();
        return;
      case 'pause':
        this.#socket.pause();
        return;
      case 'resume':
        this.#socket.resume();
        return;
      case 'release_slot':
        this.#pending.push(this.#parts.call.release());
        return;
    }
  }

  #send(message: object): void {
    if (this.#socket.bufferedAmount > UNSENT_BYTES_MAX) this.#dispatch({ type: 'unread' });
    else this.#socket.send(JSON.stringify(message));
  }

  #close(code: number, reason: string): void {
    const closing = this.#protocol.closing(code, reason);
    this.#socket.closeWith(closing.code, closing.reason.slice(0, CLOSE_REASON_MAX));
  }

  #record({ status, audioSeconds: heardSeconds, isBilled }: Extract<Effect, { type: 'record' }>): void {
    const audioSeconds = heardSeconds * (this.#protocol.billedChannels ?? 1);
    const transcript = status === 'success' ? this.#protocol.transcript() : undefined;
    const success = transcript === undefined ? {} : { transcript };
    const recorded = this.#parts.call.record({ status, audioSeconds, isBilled, ...success }).then(
      () => this.#dispatch({ type: 'recorded' }),
      (thrown) => this.#dispatch({ type: 'record_failed', failure: this.#failure(thrown) }),
    );
    this.#pending.push(recorded);
  }

  #fail(thrown: unknown): void {
    this.#dispatch({ type: 'failed', failure: this.#failure(thrown) });
  }

  /** Logs what was thrown. */
  #failure(thrown: unknown): Failure {
    const fault = asFault(thrown);
    this.#parts.call.logFailure(fault);
    return { code: fault.code, message: fault.message };
  }

  /** One timer, reset only when it would fire too late: every audio frame moves the idle deadline. */
  #arm(): void {
    const dueAtMs = nextTickAtMs(this.#state);
    if (dueAtMs === null) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    if (this.#timer !== undefined && this.#timerAtMs <= dueAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = dueAtMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#dispatch({ type: 'tick' });
      },
      Math.max(1, Math.ceil(dueAtMs - this.#parts.clock.monotonicMs())),
    );
  }
}
