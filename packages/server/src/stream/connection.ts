// One open stream: turns what the socket and the session do into events, and performs the effects they lead to.
import type { ErrorMessage, Include, ResultMessage } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { Clock } from '../platform/clock.ts';
import { errorBody } from '../platform/error-response.ts';
import { asFault, Fault } from '../platform/fault.ts';
import type { Log } from '../platform/log.ts';
import { successAnswer } from '../transcription/answer.ts';
import type { Transcript } from '../transcription/transcriber.ts';
import type { Meter, UsageEntry } from '../usage/meter.ts';
import type { StreamSlot } from '../usage/slots.ts';
import { nextTickAtMs, openConnection, step } from './connection-state.ts';
import type { ConnectionEvent, ConnectionSettings, ConnectionState, Effect, Failure } from './connection-types.ts';
import { ControlBudget } from './control-budget.ts';
import type { StreamRequest } from './handshake.ts';
import { Hearing, type HearingPorts } from './hearing.ts';
import { FLOOD, readClientMessage, violation } from './protocol.ts';
import type { StreamSocket } from './socket.ts';

/** An event without its time, which the connection adds. */
type Happening = ConnectionEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'atMs'> : never) : never;

/** Bytes that may wait to be sent before pings of the peer go unanswered: it does not read. */
const UNSENT_BYTES_MAX = 16 * 1024;

export interface ConnectionPorts extends HearingPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Told once, when the row of the stream has been decided. */
  onEnd(entry: UsageEntry): void;
}

export interface ConnectionFacts {
  readonly requestId: string;
  readonly principal: Principal;
  readonly request: StreamRequest;
  readonly slot: StreamSlot;
  readonly settings: ConnectionSettings;
}

const NOTHING_SAID: Transcript = {
  text: '',
  rawText: '',
  segments: [],
  words: [],
  edits: [],
  detectedLanguage: null,
  outputTokenCount: 0,
  recognitionMs: 0,
  refinementMs: 0,
  refinementFallback: null,
};

export class StreamConnection {
  readonly #socket: StreamSocket;
  readonly #facts: ConnectionFacts;
  readonly #ports: ConnectionPorts;
  readonly #budget: ControlBudget;
  readonly #openedAtMs: number;
  readonly #queue: ConnectionEvent[] = [];
  readonly #settling: Promise<unknown>[] = [];
  #state: ConnectionState;
  #performing: 'no' | 'yes' = 'no';
  #frame: Buffer | null = null;
  #hearing: Hearing | null = null;
  #transcript: Transcript = NOTHING_SAID;
  #audioSeconds = 0;
  #receivedMs: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  /** Resolves when the socket is gone, the row written and the slot given back. */
  readonly ended: Promise<void>;

  constructor(socket: StreamSocket, facts: ConnectionFacts, ports: ConnectionPorts) {
    this.#socket = socket;
    this.#facts = facts;
    this.#ports = ports;
    this.#openedAtMs = ports.clock.monotonicMs();
    this.#budget = new ControlBudget(this.#openedAtMs);
    this.#state = openConnection(facts.settings, this.#openedAtMs);
    this.ended = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#dispatch({ type: 'left' });
        resolve();
      });
    }).then(async () => {
      await Promise.allSettled(this.#settling);
    });
    this.#listen();
    this.#dispatch({ type: 'tick' });
  }

  /** The server is stopping: this stream has until the end of the finalisation time. */
  drain(): void {
    this.#dispatch({ type: 'drain' });
  }

  #listen(): void {
    const socket = this.#socket;
    socket.onViolation = (closeCode) => this.#dispatch({ type: 'failed', failure: violation(closeCode) });
    socket.onLeaving = () => this.#dispatch({ type: 'left' });
    // What is wrong with the connection shows in its close; the event only needs a listener.
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) {
        this.#frame = data;
        this.#dispatch({ type: 'audio', bytes: data.length });
        this.#frame = null;
        return;
      }
      if (!this.#mayControl()) return;
      const message = readClientMessage(data);
      this.#dispatch('code' in message ? { type: 'failed', failure: message } : { type: message.type });
    });
    socket.on('ping', (data: Buffer) => {
      if (!this.#mayControl()) return;
      if (socket.bufferedAmount < UNSENT_BYTES_MAX) socket.pong(data);
      this.#dispatch({ type: 'alive' });
    });
    socket.on('pong', () => {
      if (this.#mayControl()) this.#dispatch({ type: 'alive' });
    });
  }

  /** A peer that floods is ended; whatever it still sends is not looked at. */
  #mayControl(): boolean {
    if (this.#state.name === 'closed') return false;
    if (this.#budget.spend(this.#ports.clock.monotonicMs())) return true;
    this.#dispatch({ type: 'failed', failure: FLOOD });
    return false;
  }

  #dispatch(happening: Happening): void {
    this.#queue.push({ ...happening, atMs: this.#ports.clock.monotonicMs() } as ConnectionEvent);
    // An effect may cause the next event; it waits for its turn.
    if (this.#performing === 'yes') return;
    this.#performing = 'yes';
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      const next = step(this.#state, event, this.#facts.settings);
      this.#state = next.state;
      for (const effect of next.effects) this.#perform(effect);
    }
    this.#performing = 'no';
    this.#arm();
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'hear':
        this.#hear(this.#frame);
        return;
      case 'finish':
        this.#receivedMs = this.#ports.clock.monotonicMs() - this.#openedAtMs;
        this.#hearing?.finish();
        return;
      case 'cancel':
        this.#hearing?.cancel();
        return;
      case 'record':
        this.#record(effect);
        return;
      case 'send_result':
        this.#socket.send(JSON.stringify(this.#result()));
        return;
      case 'send_error':
        this.#socket.send(JSON.stringify(this.#error(effect.code, effect.message)));
        return;
      case 'close':
        this.#socket.closeWith(effect.code, effect.reason);
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
        this.#settling.push(
          this.#facts.slot.release().catch((err) => this.#ports.log.warn({ err }, 'a stream slot was not given back')),
        );
        return;
    }
  }

  #hear(frame: Buffer | null): void {
    try {
      this.#hearing ??= new Hearing(this.#ports, {
        full: () => this.#dispatch({ type: 'full' }),
        room: () => this.#dispatch({ type: 'room' }),
        failed: (fault) => this.#dispatch({ type: 'failed', failure: this.#failure(fault) }),
        transcribed: (transcript, audioSeconds) => {
          this.#transcript = transcript;
          this.#dispatch({ type: 'transcribed', audioSeconds });
        },
      });
      if (frame) this.#hearing.hear(frame);
    } catch (thrown) {
      // No session could be opened: the stream ends like one whose session failed.
      this.#dispatch({ type: 'failed', failure: this.#failure(asFault(thrown)) });
    }
  }

  #record({ status, audioSeconds, billedSeconds }: Extract<Effect, { type: 'record' }>): void {
    const { clock, log, meter } = this.#ports;
    const { requestId, principal, request } = this.#facts;
    const answered = status === 'success' ? this.#transcript : NOTHING_SAID;
    this.#audioSeconds = audioSeconds;
    const entry: UsageEntry = {
      requestId,
      accountId: principal.accountId,
      keyId: principal.keyId,
      mode: 'stream',
      model: request.model,
      status,
      audioSeconds,
      billedSeconds,
      outputTokenCount: answered.outputTokenCount,
      detectedLanguage: answered.detectedLanguage,
      receiveMs: this.#receivedMs,
      recognitionMs: status === 'success' ? answered.recognitionMs : null,
      refinementMs: status === 'success' ? answered.refinementMs : null,
      refinementFallback: answered.refinementFallback,
      createdAtMs: clock.now(),
    };
    const recorded = meter.record(entry).then(
      () => this.#dispatch({ type: 'recorded' }),
      (thrown) => {
        log.error({ err: thrown, requestId, status }, 'the usage row of a stream was not written');
        this.#dispatch({ type: 'unrecorded', failure: this.#failure(asFault(thrown)) });
      },
    );
    this.#settling.push(recorded);
    this.#ports.onEnd(entry);
  }

  #failure(fault: Fault): Failure {
    if (fault.code === 'INTERNAL_ERROR') {
      this.#ports.log.error({ err: fault, requestId: this.#facts.requestId }, 'a stream failed');
    }
    return { code: fault.code, message: fault.message };
  }

  #result(): ResultMessage {
    const { requestId, request } = this.#facts;
    const include: ReadonlySet<Include> = request.include;
    return {
      type: 'result',
      ...successAnswer(this.#transcript, { requestId, audioSeconds: this.#audioSeconds, include }),
    };
  }

  #error(code: Fault['code'], message: string): ErrorMessage {
    return { type: 'error', ...errorBody(new Fault(code, { message }), this.#facts.requestId) };
  }

  /** One timer, moved only when it would fire too late: audio puts the idle deadline off with every frame. */
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
      Math.max(1, Math.ceil(dueAtMs - this.#ports.clock.monotonicMs())),
    );
  }
}
