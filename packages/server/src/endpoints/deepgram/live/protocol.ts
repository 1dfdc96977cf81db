// Deepgram's live protocol: audio, KeepAlive, Finalize and CloseStream in; Results while audio arrives, Metadata at the end.
import { CLOSE_CODES, ERRORS } from '@faircopy/contract';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { StreamAudio } from '../../../calls/streams/stream-audio.ts';
import type { SessionEvent, SessionSummary } from '../../../calls/transcript.ts';
import { asFault } from '../../../lib/fault.ts';
import type { Failure, Progress } from '../../../transport/websocket/connection-types.ts';
import type { ClientMessage, ProtocolContext, StreamProtocol } from '../../../transport/websocket/stream-protocol.ts';
import { requestUuid } from '../request-uuid.ts';
import { ChannelEvents } from './channel-events.ts';
import type { ListenRequest } from './handshake.ts';
import { emptyResult, type ListenCommand, type ListenFacts, metadataMessage, readListenMessage } from './messages.ts';
import { ReceivedAudio } from './received-audio.ts';

export class ListenProtocol implements StreamProtocol<ListenCommand> {
  readonly #context: ProtocolContext;
  readonly #request: ListenRequest;
  readonly #decoding: Pick<UploadDecoding, 'openLive'>;
  readonly #facts: ListenFacts;
  readonly #received: ReceivedAudio;
  #audio: StreamAudio | null = null;
  #summary: SessionSummary | undefined;
  /** Resolves when every Finalize so far has been answered. */
  #flushed: Promise<void> = Promise.resolve();
  #endReason = '';

  constructor(context: ProtocolContext, request: ListenRequest, decoding: Pick<UploadDecoding, 'openLive'>) {
    this.#context = context;
    this.#request = request;
    this.#decoding = decoding;
    this.#facts = { requestUuid: requestUuid(context.call.requestId), request };
    this.#received = new ReceivedAudio(request.audio);
  }

  get billedChannels(): number {
    return this.#request.channels;
  }

  get progress(): Progress {
    return { audioSeconds: this.#secondsWith(0), isAnswered: false };
  }

  read(data: Buffer, isBinary: boolean): ClientMessage<ListenCommand> {
    // An empty binary frame is the old form of CloseStream.
    if (isBinary && data.length === 0) return { kind: 'control', event: { type: 'close_stream' } };
    if (isBinary) return { kind: 'audio', audio: data, audioSeconds: this.#secondsWith(data.length) };
    const message = readListenMessage(data);
    if (typeof message === 'string')
      return { kind: 'control', event: { type: 'failed', failure: { code: 'INVALID_REQUEST', message } } };
    if (message.type === 'CloseStream') return { kind: 'control', event: { type: 'close_stream' } };
    if (message.type === 'unknown') return { kind: 'control', event: { type: 'heartbeat' } };
    const event = { type: 'keep_alive' } as const;
    return message.type === 'Finalize' ? { kind: 'control', event, command: message } : { kind: 'control', event };
  }

  perform({ channel }: ListenCommand): void {
    const { dispatch, failure, send } = this.#context;
    const audio = this.#audio;
    if (audio === null) {
      send(emptyResult(this.#facts, { channel: channel ?? 0, startMs: 0, endMs: 0 }, true));
      return;
    }
    this.#flushed = this.#flushed
      .then(() => audio.flush(channel))
      .catch((thrown) => dispatch({ type: 'failed', failure: failure(asFault(thrown)) }));
  }

  write(audio: Buffer): void {
    this.#audio ??= this.#openAudio();
    this.#received.add(audio);
    this.#audio.write(audio);
  }

  finish(reason = ''): void {
    this.#endReason = reason;
    void this.#flushed.then(() => this.#audio?.finish());
  }

  cancel(): void {
    this.#audio?.cancel();
  }

  transcript(): SessionSummary | undefined {
    return this.#summary;
  }

  result(): object[] {
    const { sha256 } = this.#received;
    const metadata = metadataMessage(this.#facts, { sha256, seconds: this.#secondsWith(0) });
    if (this.#audio !== null) return [metadata];
    return [emptyResult(this.#facts, { channel: 0, startMs: 0, endMs: 0 }, false), metadata];
  }

  error({ code, message }: Failure): object[] {
    return [{ type: 'Error', description: message, message, variant: code }];
  }

  closing(code: number, reason: string) {
    if (code === CLOSE_CODES.done) return { code, reason: this.#endReason };
    if (code === CLOSE_CODES.restart || code === CLOSE_CODES.frameTooBig) return { code, reason };
    // A time-out: Deepgram's client reconnects at once after any code but 1000.
    if (!(reason in ERRORS)) return { code: CLOSE_CODES.done, reason };
    if (reason === 'AUDIO_FORMAT_UNSUPPORTED' || code === CLOSE_CODES.badMessage) {
      return { code: CLOSE_CODES.policy, reason: 'DATA-0000' };
    }
    return code === CLOSE_CODES.internal ? { code, reason: 'NET-0000' } : { code, reason };
  }

  #secondsWith(moreBytes: number): number {
    return this.#received.secondsWith(moreBytes) ?? this.#audio?.audioSeconds ?? 0;
  }

  #openAudio(): StreamAudio {
    const { audio, channels, live } = this.#request;
    const { call, dispatch, failure } = this.#context;
    const inputs = Array.from({ length: channels }, (_, channel) => ({
      decoder: this.#decoding.openLive(audio, {
        channel: channels > 1 ? channel : undefined,
        owner: call.accountId,
      }),
      onEvent: this.#listener(channel),
    }));
    return call.openAudio(live, inputs, {
      full: () => dispatch({ type: 'queue_full' }),
      room: () => dispatch({ type: 'queue_ready' }),
      failed: (fault) => dispatch({ type: 'failed', failure: failure(fault) }),
      finished: (summary, audioSeconds) => {
        this.#summary = summary;
        dispatch({ type: 'transcribed', audioSeconds });
      },
    });
  }

  #listener(channel: number): (event: SessionEvent) => void {
    const events = new ChannelEvents(this.#facts, channel, this.#context.send);
    return (event) => events.take(event);
  }
}
