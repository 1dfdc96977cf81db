// OpenAI's realtime protocol for transcription sessions: base64 audio in JSON events, items with their text as answers.
import { CLOSE_CODES, ERRORS } from '@faircopy/contract';
import { ulid } from 'ulid';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { LiveFinal, LiveListener, LiveSummary } from '../../../calls/live-events.ts';
import type { LivePipe } from '../../../calls/live-pipe.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { asFault } from '../../../lib/fault.ts';
import type { Failure } from '../../../transport/websocket/connection-types.ts';
import type {
  Incoming,
  ProtocolContext,
  StreamProtocol,
  UntimedEvent,
} from '../../../transport/websocket/stream-protocol.ts';
import { Items } from './items.ts';
import {
  ConfigProblem,
  liveAudioOf,
  liveOptionsOf,
  type SessionConfig,
  type SessionIdentity,
  shownFlatSession,
  shownSession,
  updatedConfig,
  updatedFlatConfig,
} from './session-config.ts';

export interface RealtimeParts {
  readonly config: SessionConfig;
  readonly identity: SessionIdentity;
  readonly names: ModelNames;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
}

interface ClientEvent {
  readonly type?: unknown;
  readonly event_id?: unknown;
  readonly session?: unknown;
  readonly audio?: unknown;
}

const APPEND = 'input_audio_buffer.append';
const CONTROL_BYTES_MAX = 256 * 1024;
const KEEP_ALIVE: UntimedEvent = { type: 'keep_alive' };

/** One way of audio into a session. Another is opened when the configuration changes or the buffer is cleared. */
interface Segment {
  readonly pipe: LivePipe;
  /** Where it begins in the stream. */
  readonly startMs: number;
}

export class RealtimeProtocol implements StreamProtocol {
  readonly #context: ProtocolContext;
  readonly #parts: RealtimeParts;
  readonly #items: Items;
  #config: SessionConfig;
  #parsed: ClientEvent | string = '';
  #segment: Segment | undefined;
  #heardSeconds = 0;
  /** Audio since the last commit or clear. */
  #uncommittedSeconds = 0;
  /** What runs one after the other: commits, changes of the configuration. */
  #queue: Promise<void> = Promise.resolve();
  #queued = 0;
  #outputTokenCount = 0;
  #detectedLanguage: string | null = null;

  constructor(context: ProtocolContext, parts: RealtimeParts) {
    this.#context = context;
    this.#parts = parts;
    this.#config = parts.config;
    this.#items = new Items((event) => this.#send(event));
  }

  get heardSeconds(): number {
    return this.#heardSeconds;
  }

  /** Whether everything that came has been answered: then leaving is the end of it. */
  get isAnswered(): boolean {
    return (
      this.#queued === 0 &&
      !this.#items.isOpen &&
      (this.#config.turnDetection !== null || this.#uncommittedSeconds === 0)
    );
  }

  opened(): void {
    this.#send({ type: 'session.created', session: shownSession(this.#parts.identity, this.#config) });
  }

  isControl(data: Buffer, isBinary: boolean): boolean {
    this.#parsed = parse(data, isBinary);
    return typeof this.#parsed === 'string' || this.#parsed.type !== APPEND;
  }

  read(data: Buffer): Incoming | null {
    const event = this.#parsed;
    this.#parsed = '';
    if (typeof event === 'string') {
      this.#problem(event, 'invalid_json', null, undefined);
      return { event: KEEP_ALIVE };
    }
    if (event.type === APPEND) return this.#append(event);
    if (data.length > CONTROL_BYTES_MAX) this.#problem('The event is too large.', 'event_too_large', null, event);
    else this.#control(event);
    return { event: KEEP_ALIVE };
  }

  write(audio: Buffer): void {
    const { format, sampleRateHz } = liveAudioOf(this.#config);
    const audioSeconds = audio.length / format.bytes / sampleRateHz;
    this.#segment ??= this.#openSegment();
    this.#heardSeconds += audioSeconds;
    this.#uncommittedSeconds += audioSeconds;
    this.#segment.pipe.write(audio);
  }

  finish(): void {
    const { dispatch } = this.#context;
    this.#enqueue(() => this.#closeSegment());
    void this.#queue.then(() => dispatch({ type: 'transcribed', audioSeconds: this.#heardSeconds }));
  }

  cancel(): void {
    this.#segment?.pipe.cancel();
  }

  transcript(): LiveSummary {
    return {
      detectedLanguage: this.#detectedLanguage,
      outputTokenCount: this.#outputTokenCount,
      recognitionMs: 0,
      refinementMs: 0,
      refinementFallback: null,
    };
  }

  result(): object[] {
    return [];
  }

  error({ code, message }: Failure): object[] {
    const isOurs = (ERRORS[code].httpStatus ?? 500) >= 500;
    const error = {
      type: isOurs ? 'server_error' : 'invalid_request_error',
      code: code.toLowerCase(),
      message,
      param: null,
      event_id: null,
    };
    return [this.#numbered({ type: 'error', error })];
  }

  closing(code: number, reason: string) {
    return code === CLOSE_CODES.done ? { code, reason: '' } : { code, reason };
  }

  #numbered(event: object): object {
    return { event_id: `event_${ulid()}`, ...event };
  }

  #send(event: object): void {
    this.#context.send(this.#numbered(event));
  }

  #problem(message: string, code: string, param: string | null, event: ClientEvent | undefined): void {
    const event_id = typeof event?.event_id === 'string' ? event.event_id : null;
    this.#send({ type: 'error', error: { type: 'invalid_request_error', code, message, param, event_id } });
  }

  #append(event: ClientEvent): Incoming | null {
    const audio = typeof event.audio === 'string' ? Buffer.from(event.audio, 'base64') : null;
    if (audio && (audio.length > 0 || event.audio === ''))
      return { event: { type: 'audio', bytes: audio.length }, audio };
    this.#problem('"audio" must be audio in base64.', 'invalid_value', 'audio', event);
    return null;
  }

  #control(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        this.#update(event, updatedConfig, () => ({
          type: 'session.updated',
          session: shownSession(this.#parts.identity, this.#config),
        }));
        return;
      case 'transcription_session.update':
        this.#update(event, updatedFlatConfig, () => ({
          type: 'transcription_session.updated',
          session: shownFlatSession(this.#parts.identity, this.#config),
        }));
        return;
      case 'input_audio_buffer.commit':
        this.#commit(event);
        return;
      case 'input_audio_buffer.clear':
        this.#clear();
        return;
      default:
        this.#problem('The type of the event is not known in transcription sessions.', 'unknown_event', 'type', event);
    }
  }

  #update(
    event: ClientEvent,
    read: (session: unknown, before: SessionConfig, names: ModelNames) => SessionConfig,
    answer: () => object,
  ): void {
    let next: SessionConfig;
    try {
      next = read(event.session, this.#config, this.#parts.names);
    } catch (thrown) {
      if (!(thrown instanceof ConfigProblem)) throw thrown;
      this.#problem(thrown.message, 'invalid_value', thrown.param, event);
      return;
    }
    const isChanged = JSON.stringify(next) !== JSON.stringify(this.#config);
    this.#config = next;
    this.#context.call.choose(next.model);
    // What was said before is finished as it was begun.
    if (isChanged && this.#segment) this.#enqueue(this.#segmentCloser());
    this.#send(answer());
  }

  #commit(event: ClientEvent): void {
    if (this.#uncommittedSeconds === 0 || !this.#segment) {
      this.#problem('There is no audio to commit.', 'input_audio_buffer_commit_empty', null, event);
      return;
    }
    const { pipe } = this.#segment;
    const audioSeconds = this.#uncommittedSeconds;
    this.#uncommittedSeconds = 0;
    this.#enqueue(async () => {
      await pipe.flush();
      // With turns, the flush has ended the one that was open.
      if (this.#config.turnDetection !== null && !this.#items.isOpen) return;
      this.#items.complete(this.#items.commit(this.#heardSeconds * 1000), audioSeconds);
    });
  }

  #clear(): void {
    this.#segment?.pipe.cancel();
    this.#segment = undefined;
    this.#uncommittedSeconds = 0;
    this.#send({ type: 'input_audio_buffer.cleared' });
  }

  #enqueue(work: () => Promise<void>): void {
    const { dispatch, failure } = this.#context;
    this.#queued += 1;
    this.#queue = this.#queue
      .then(work)
      .catch((thrown) => dispatch({ type: 'failed', failure: failure(asFault(thrown)) }))
      .finally(() => {
        this.#queued -= 1;
      });
  }

  /** Takes the present segment out; what is returned ends it. */
  #segmentCloser(): () => Promise<void> {
    const segment = this.#segment;
    this.#segment = undefined;
    return async () => {
      await segment?.pipe.flush();
      segment?.pipe.cancel();
    };
  }

  #closeSegment(): Promise<void> {
    return this.#segmentCloser()();
  }

  #openSegment(): Segment {
    const { call, dispatch, failure } = this.#context;
    const startMs = this.#heardSeconds * 1000;
    const decoder = this.#parts.decoding.openLive(liveAudioOf(this.#config));
    const pipe = call.openLivePipe(
      liveOptionsOf(this.#config),
      [{ decoder, listener: this.#listener(startMs, this.#config) }],
      {
        full: () => dispatch({ type: 'full' }),
        room: () => dispatch({ type: 'room' }),
        failed: (fault) => dispatch({ type: 'failed', failure: failure(fault) }),
        finished: () => undefined,
      },
    );
    return { pipe, startMs };
  }

  #listener(startMs: number, { turnDetection }: SessionConfig): LiveListener {
    const items = this.#items;
    const final = (told: LiveFinal): void => {
      const { transcript, endedBy, endMs } = told;
      this.#outputTokenCount += transcript.outputTokenCount;
      this.#detectedLanguage = transcript.detectedLanguage ?? this.#detectedLanguage;
      const hasWords = transcript.text.trim() !== '';
      // A silence at the end of the audio is no item.
      if (hasWords || items.isOpen) items.add({ ...told, endMs: startMs + endMs });
      if (turnDetection === null || endedBy === 'length' || !items.isOpen) return;
      this.#uncommittedSeconds = 0;
      items.complete(items.commit(startMs + endMs), (endMs - told.startMs) / 1000);
    };
    if (turnDetection === null) {
      const nothing = () => undefined;
      return { speechStarted: nothing, speechEnded: nothing, silence: nothing, interim: nothing, final };
    }
    return {
      speechStarted: (atMs) => items.speechStarted(startMs + atMs),
      speechEnded: (atMs) => items.speechStopped(startMs + atMs),
      silence: () => undefined,
      interim: (interim) => items.interim(interim),
      final,
    };
  }
}

/** The event, or what is wrong with it in a sentence. */
const parse = (data: Buffer, isBinary: boolean): ClientEvent | string => {
  if (isBinary) return 'Events are text; audio comes in base64 inside of them.';
  try {
    const value: unknown = JSON.parse(data.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : 'The event is not an object.';
  } catch {
    return 'The event is not JSON.';
  }
};
