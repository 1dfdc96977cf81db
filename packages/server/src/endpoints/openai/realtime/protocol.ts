// OpenAI's realtime protocol for transcription sessions: JSON events with base64 audio in, items with their text out.
import { CLOSE_CODES, ERRORS, type ModelId } from '@faircopy/contract';
import { ulid } from 'ulid';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import type { Final, SessionSummary } from '../../../calls/transcript.ts';
import type { Failure, Progress } from '../../../transport/websocket/connection-types.ts';
import type { ClientMessage, ProtocolContext, StreamProtocol } from '../../../transport/websocket/stream-protocol.ts';
import { type EventProblem, type RealtimeCommand, readClientEvent } from './client-events.ts';
import { RealtimeInput } from './input.ts';
import { Items } from './items.ts';
import { OpenInputs } from './open-inputs.ts';
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

export class RealtimeProtocol implements StreamProtocol<RealtimeCommand> {
  readonly #context: ProtocolContext;
  readonly #parts: RealtimeParts;
  readonly #items: Items;
  readonly #inputs: OpenInputs;
  #config: SessionConfig;
  /** Receives the audio of one configuration. After a change of the configuration or a `clear`, a new one is opened. */
  #input: RealtimeInput | undefined;
  #audioSeconds = 0;
  readonly #secondsByModel = new Map<ModelId, number>();
  /** Audio since the last commit or clear. */
  #uncommittedSeconds = 0;
  /** Commits and configuration changes run one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #queued = 0;
  #outputTokenCount = 0;
  #detectedLanguage: string | null = null;

  constructor(context: ProtocolContext, parts: RealtimeParts) {
    this.#context = context;
    this.#parts = parts;
    this.#config = parts.config;
    this.#items = new Items((event) => this.#send(event));
    this.#inputs = new OpenInputs(context);
  }

  get progress(): Progress {
    const hasPendingAudio = this.#config.turnDetection === null && this.#uncommittedSeconds > 0;
    return {
      audioSeconds: this.#audioSeconds,
      isAnswered: this.#queued === 0 && !this.#items.isOpen && !hasPendingAudio,
    };
  }

  opened(): void {
    this.#send({ type: 'session.created', session: shownSession(this.#parts.identity, this.#config) });
  }

  read(data: Buffer, isBinary: boolean): ClientMessage<RealtimeCommand> {
    const event = readClientEvent(data, isBinary);
    if (event.type !== 'append') return { kind: 'control', event: { type: 'keep_alive' }, command: event };
    const { audio } = event;
    return { kind: 'audio', audio, audioSeconds: this.#audioSeconds + this.#secondsOf(audio) };
  }

  perform(command: RealtimeCommand): void {
    switch (command.type) {
      case 'update':
        this.#update(command);
        return;
      case 'commit':
        this.#commit(command.eventId);
        return;
      case 'clear':
        this.#clear();
        return;
      case 'reject':
        this.#sendProblem(command.problem);
        return;
    }
  }

  write(audio: Buffer): void {
    if (!this.#input && !this.#inputs.mayOpen()) return;
    this.#input ??= this.#openInput();
    const seconds = this.#secondsOf(audio);
    this.#audioSeconds += seconds;
    this.#uncommittedSeconds += seconds;
    this.#countModel(seconds);
    this.#input.write(audio);
  }

  finish(): void {
    this.#closeInput(null);
    void this.#queue.then(() => this.#context.dispatch({ type: 'transcribed', audioSeconds: this.#audioSeconds }));
  }

  cancel(): void {
    this.#inputs.cancelAll();
  }

  transcript(): SessionSummary {
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
    const type = (ERRORS[code].httpStatus ?? 500) >= 500 ? 'server_error' : 'invalid_request_error';
    const error = { type, code: code.toLowerCase(), message, param: null, event_id: null };
    return [withEventId({ type: 'error', error })];
  }

  closing(code: number, reason: string) {
    return code === CLOSE_CODES.done ? { code, reason: '' } : { code, reason };
  }

  #secondsOf(audio: Buffer): number {
    const { format, sampleRateHz } = liveAudioOf(this.#config);
    return audio.length / format.bytes / sampleRateHz;
  }

  /** The usage row names the model that got most of the audio. */
  #countModel(seconds: number): void {
    const { model } = this.#config;
    this.#secondsByModel.set(model, (this.#secondsByModel.get(model) ?? 0) + seconds);
    const [most] = [...this.#secondsByModel].reduce((a, b) => (b[1] > a[1] ? b : a));
    this.#context.call.choose(most);
  }

  #send(event: object): void {
    this.#context.send(withEventId(event));
  }

  #sendProblem({ message, code, param, eventId }: EventProblem): void {
    this.#send({
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param, event_id: eventId },
    });
  }

  #update({ session, isFlat, eventId }: Extract<RealtimeCommand, { type: 'update' }>): void {
    const { names, identity } = this.#parts;
    const read = isFlat ? updatedFlatConfig : updatedConfig;
    let next: SessionConfig;
    try {
      next = read(session, this.#config, names);
    } catch (thrown) {
      if (!(thrown instanceof ConfigProblem)) throw thrown;
      this.#sendProblem({ message: thrown.message, code: 'invalid_value', param: thrown.param, eventId });
      return;
    }
    if (JSON.stringify(next) !== JSON.stringify(this.#config)) this.#configure(next);
    this.#send(
      isFlat
        ? { type: 'transcription_session.updated', session: shownFlatSession(identity, next) }
        : { type: 'session.updated', session: shownSession(identity, next) },
    );
  }

  /** Audio that arrived before the change keeps its configuration, and its text still goes to its own items. */
  #configure(next: SessionConfig): void {
    const before = this.#config;
    this.#config = next;
    const isManual = before.turnDetection === null;
    // Uncommitted audio stays open as long as the client commits items itself.
    const isDue = isManual && next.turnDetection !== null && this.#uncommittedSeconds > 0;
    this.#closeInput(isDue ? this.#uncommittedSeconds : null);
    if (!isManual || isDue) this.#uncommittedSeconds = 0;
  }

  #commit(eventId: string | null): void {
    const audioSeconds = this.#uncommittedSeconds;
    if (audioSeconds === 0) {
      const message = 'There is no audio to commit.';
      this.#sendProblem({ message, code: 'input_audio_buffer_commit_empty', param: null, eventId });
      return;
    }
    this.#uncommittedSeconds = 0;
    const flushed = this.#input?.flush(audioSeconds);
    flushed?.catch(() => undefined);
    this.#enqueue(async () => (flushed ? await flushed : this.#items.complete(audioSeconds)));
  }

  #clear(): void {
    const input = this.#input;
    this.#input = undefined;
    this.#uncommittedSeconds = 0;
    this.#inputs.clearSpeech();
    if (input) this.#discard(input);
    // Without turn detection, audio from before a change of the configuration may get its text later.
    this.#enqueue(async () => this.#items.dropOpen());
    this.#send({ type: 'input_audio_buffer.cleared' });
  }

  /** Items that are committed still get their text. */
  #discard(input: RealtimeInput): void {
    input.clear();
    if (!input.isAwaited) {
      this.#inputs.close(input);
      return;
    }
    const flushed = input.flush(null);
    flushed.catch(() => undefined);
    this.#enqueue(async () => {
      await flushed;
      this.#inputs.close(input);
    });
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queued += 1;
    this.#queue = this.#queue
      .then(work)
      .catch(this.#context.fail)
      .finally(() => {
        this.#queued -= 1;
      });
  }

  /** Detaches the current input; its text follows. With `itemSeconds`, that text completes an item. */
  #closeInput(itemSeconds: number | null): void {
    const input = this.#input;
    this.#input = undefined;
    if (!input && itemSeconds === null) return;
    const flushed = input?.flush(itemSeconds);
    flushed?.catch(() => undefined);
    this.#enqueue(async () => {
      if (flushed) await flushed;
      else if (itemSeconds !== null) this.#items.complete(itemSeconds);
      if (input) this.#inputs.close(input);
    });
  }

  #openInput(): RealtimeInput {
    const { call } = this.#context;
    const { turnDetection } = this.#config;
    const decoder = this.#parts.decoding.openLive(liveAudioOf(this.#config), { owner: call.accountId });
    const byTurns = turnDetection?.type === 'semantic_vad' ? 'turns' : 'pauses';
    const input: RealtimeInput = new RealtimeInput({
      items: this.#items,
      offsetMs: this.#audioSeconds * 1000,
      turns: turnDetection === null ? 'manual' : byTurns,
      earlier: this.#queued > 0 ? this.#queue : undefined,
      onFinal: (final) => this.#count(final),
      onCommit: (endMs) => {
        // The silence after the item can still be committed: a client with its own voice detection commits right then.
        const laterSeconds = Math.max(0, this.#audioSeconds - endMs / 1000);
        if (this.#input === input) this.#uncommittedSeconds = Math.min(this.#uncommittedSeconds, laterSeconds);
      },
      open: (onEvent) =>
        call.openAudio(
          liveOptionsOf(this.#config),
          [{ decoder, onEvent }],
          this.#inputs.listenerOf(() => input),
        ),
    });
    this.#inputs.add(input);
    return input;
  }

  #count({ transcript }: Final): void {
    this.#outputTokenCount += transcript.outputTokenCount;
    this.#detectedLanguage = transcript.detectedLanguage ?? this.#detectedLanguage;
  }
}

const withEventId = (event: object): object => ({ event_id: `event_${ulid()}`, ...event });
