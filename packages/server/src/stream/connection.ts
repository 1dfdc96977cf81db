// One open stream: turns what the socket and the session do into events, and performs the effects they lead to.
import type { ErrorMessage, ResultMessage } from '@faircopy/contract';
import type { UploadDecoder } from '../audio/decode.ts';
import type { AudioPipe } from '../calls/audio-pipe.ts';
import type { StreamCall } from '../calls/stream-call.ts';
import { successBody, type TranscribedAudio } from '../calls/success-response.ts';
import type { Clock } from '../platform/clock.ts';
import { errorBody } from '../platform/error-response.ts';
import { asFault, Fault } from '../platform/fault.ts';
import { nextTickAtMs, openConnection, step } from './connection-state.ts';
import type { ConnectionEvent, ConnectionSettings, ConnectionState, Effect, Failure } from './connection-types.ts';
import { ControlBudget } from './control-budget.ts';
import type { StreamRequest } from './handshake.ts';
import { FLOOD, readClientMessage, violation } from './protocol.ts';
import type { StreamSocket } from './socket.ts';

/** An event without its time, which the connection adds. */
type UntimedEvent = ConnectionEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'atMs'> : never) : never;

/** Bytes that may wait to be sent before pings of the peer go unanswered: it does not read. */
const UNSENT_BYTES_MAX = 16 * 1024;

export interface ConnectionParts {
  readonly call: StreamCall;
  readonly request: StreamRequest;
  readonly settings: ConnectionSettings;
  readonly clock: Clock;
  readonly openDecoder: () => UploadDecoder;
}

const NOTHING_SAID: TranscribedAudio = {
  transcript: {
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
  },
  audioSeconds: 0,
};

export class StreamConnection {
  readonly #socket: StreamSocket;
  readonly #parts: ConnectionParts;
  readonly #budget: ControlBudget;
  readonly #queue: ConnectionEvent[] = [];
  readonly #settling: Promise<unknown>[] = [];
  #state: ConnectionState;
  #performing: 'no' | 'yes' = 'no';
  #frame: Buffer | null = null;
  #pipe: AudioPipe | null = null;
  #transcribed: TranscribedAudio = NOTHING_SAID;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  /** Resolves when the socket is gone, the row written and the slot given back. */
  readonly ended: Promise<void>;

  constructor(socket: StreamSocket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    const openedAtMs = parts.clock.monotonicMs();
    this.#budget = new ControlBudget(openedAtMs);
    this.#state = openConnection(parts.settings, openedAtMs);
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
    this.#parts.call.onAccessLost((fault) => this.#dispatch({ type: 'failed', failure: this.#failure(fault) }));
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
    if (this.#budget.spend(this.#parts.clock.monotonicMs())) return true;
    this.#dispatch({ type: 'failed', failure: FLOOD });
    return false;
  }

  #dispatch(event: UntimedEvent): void {
    this.#queue.push({ ...event, atMs: this.#parts.clock.monotonicMs() } as ConnectionEvent);
    // An effect may cause the next event; it waits for its turn.
    if (this.#performing === 'yes') return;
    this.#performing = 'yes';
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const { state, effects } = step(this.#state, next, this.#parts.settings);
      this.#state = state;
      for (const effect of effects) this.#perform(effect);
    }
    this.#performing = 'no';
    this.#arm();
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'transcribe_audio':
        this.#transcribe(this.#frame);
        return;
      case 'finish':
        this.#parts.call.markReceived();
        this.#pipe?.finish();
        return;
      case 'cancel':
        this.#pipe?.cancel();
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
        this.#settling.push(this.#parts.call.release());
        return;
    }
  }

  #transcribe(frame: Buffer | null): void {
    const { call, request, openDecoder } = this.#parts;
    try {
      this.#pipe ??= call.openPipe(request.transcription, openDecoder, {
        full: () => this.#dispatch({ type: 'full' }),
        room: () => this.#dispatch({ type: 'room' }),
        failed: (fault) => this.#dispatch({ type: 'failed', failure: this.#failure(fault) }),
        transcribed: (transcript, audioSeconds) => {
          this.#transcribed = { transcript, audioSeconds };
          this.#dispatch({ type: 'transcribed', audioSeconds });
        },
      });
      if (frame) this.#pipe.write(frame);
    } catch (thrown) {
      // No session could be opened: the stream ends like one whose session failed.
      this.#dispatch({ type: 'failed', failure: this.#failure(asFault(thrown)) });
    }
  }

  #record({ status, audioSeconds, billedSeconds }: Extract<Effect, { type: 'record' }>): void {
    const success = status === 'success' ? { transcript: this.#transcribed.transcript } : {};
    const recorded = this.#parts.call.record({ status, audioSeconds, billedSeconds, ...success }).then(
      () => this.#dispatch({ type: 'recorded' }),
      (thrown) => this.#dispatch({ type: 'unrecorded', failure: this.#failure(asFault(thrown)) }),
    );
    this.#settling.push(recorded);
  }

  #failure(fault: Fault): Failure {
    this.#parts.call.logFailure(fault);
    return { code: fault.code, message: fault.message };
  }

  #result(): ResultMessage {
    const { call, request } = this.#parts;
    return {
      type: 'result',
      ...successBody(this.#transcribed, { requestId: call.requestId, include: request.include }),
    };
  }

  #error(code: Fault['code'], message: string): ErrorMessage {
    return { type: 'error', ...errorBody(new Fault(code, { message }), this.#parts.call.requestId) };
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
      Math.max(1, Math.ceil(dueAtMs - this.#parts.clock.monotonicMs())),
    );
  }
}
