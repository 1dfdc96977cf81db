// Deepgram's live protocol: audio, KeepAlive, Finalize and CloseStream in; Results while audio arrives, Metadata at the end.
import { CLOSE_CODES, ERRORS } from '@faircopy/contract';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { SessionEvent, SessionSummary } from '../../../calls/transcript.ts';
import type { Failure, Progress } from '../../../transport/websocket/connection-types.ts';
import type { ClientMessage, ProtocolContext, StreamProtocol } from '../../../transport/websocket/stream-protocol.ts';
import { requestUuid } from '../request-uuid.ts';
import { ChannelEvents } from './channel-events.ts';
import { ConnectionAudio } from './connection-audio.ts';
import type { ListenRequest } from './handshake.ts';
import { emptyResult, type ListenCommand, type ListenFacts, metadataMessage, readListenMessage } from './messages.ts';

export class ListenProtocol implements StreamProtocol<ListenCommand> {
  readonly #context: ProtocolContext;
  readonly #facts: ListenFacts;
  readonly #audio: ConnectionAudio;

  constructor(context: ProtocolContext, request: ListenRequest, decoding: Pick<UploadDecoding, 'openLive'>) {
    this.#context = context;
    this.#facts = { requestUuid: requestUuid(context.call.requestId), request };
    const { audio, channels, live } = request;
    const listeners = Array.from({ length: channels }, (_, channel) => {
      const events = new ChannelEvents(this.#facts, channel, context.send);
      return (event: SessionEvent) => events.take(event);
    });
    this.#audio = new ConnectionAudio({ context, audio, decoding, listeners, options: () => live });
  }

  get billedChannels(): number {
    return this.#facts.request.channels;
  }

  get progress(): Progress {
    return { audioSeconds: this.#audio.secondsWith(0), isAnswered: false };
  }

  read(data: Buffer, isBinary: boolean): ClientMessage<ListenCommand> {
    // An empty binary frame is the old form of CloseStream.
    if (isBinary && data.length === 0) return { kind: 'control', event: { type: 'close_stream' } };
    if (isBinary) return { kind: 'audio', audio: data, audioSeconds: this.#audio.secondsWith(data.length) };
    const message = readListenMessage(data);
    if (typeof message === 'string')
      return { kind: 'control', event: { type: 'failed', failure: { code: 'INVALID_REQUEST', message } } };
    if (message.type === 'CloseStream') return { kind: 'control', event: { type: 'close_stream' } };
    if (message.type === 'unknown') return { kind: 'control', event: { type: 'heartbeat' } };
    const event = { type: 'keep_alive' } as const;
    return message.type === 'Finalize' ? { kind: 'control', event, command: message } : { kind: 'control', event };
  }

  /** Finalize is always answered, so one for a channel that does not exist ends the utterances of all. */
  perform({ channel }: ListenCommand): void {
    const all = Array.from({ length: this.billedChannels }, (_, index) => index);
    const chosen = channel !== undefined && all.includes(channel) ? channel : undefined;
    if (this.#audio.stream !== null) this.#audio.flush(chosen);
    else
      for (const each of chosen === undefined ? all : [chosen])
        this.#context.send(emptyResult(this.#facts, { channel: each, startMs: 0, endMs: 0 }, true));
  }

  write(audio: Buffer): void {
    this.#audio.write(audio);
  }

  finish(reason?: string): void {
    this.#audio.finish(reason);
  }

  cancel(): void {
    this.#audio.cancel();
  }

  transcript(): SessionSummary | undefined {
    return this.#audio.summary;
  }

  result(): object[] {
    const { sha256, stream } = this.#audio;
    const metadata = metadataMessage(this.#facts, { sha256, durationSeconds: this.#audio.secondsWith(0) });
    if (stream !== null) return [metadata];
    return [emptyResult(this.#facts, { channel: 0, startMs: 0, endMs: 0 }, false), metadata];
  }

  error({ code, message }: Failure): object[] {
    return [{ type: 'Error', description: message, message, variant: code }];
  }

  closing(code: number, reason: string) {
    if (code === CLOSE_CODES.done) return { code, reason: this.#audio.endReason };
    if (code === CLOSE_CODES.restart || code === CLOSE_CODES.frameTooBig) return { code, reason };
    // A time-out: Deepgram's client reconnects at once after any code but 1000.
    if (!(reason in ERRORS)) return { code: CLOSE_CODES.done, reason };
    if (reason === 'AUDIO_FORMAT_UNSUPPORTED' || code === CLOSE_CODES.badMessage) {
      return { code: CLOSE_CODES.policy, reason: 'DATA-0000' };
    }
    return code === CLOSE_CODES.internal ? { code, reason: 'NET-0000' } : { code, reason };
  }
}
