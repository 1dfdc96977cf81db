// Deepgram's turn-based protocol: audio, Configure, ForceEndTurn and CloseStream in; Connected and TurnInfo out.
import { CLOSE_CODES, ERRORS, type Term } from '@faircopy/contract';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { SessionEvent, SessionSummary, TurnThresholds } from '../../../calls/transcript.ts';
import type { Failure, Progress } from '../../../transport/websocket/connection-types.ts';
import type { ClientMessage, ProtocolContext, StreamProtocol } from '../../../transport/websocket/stream-protocol.ts';
import { ConnectionAudio } from '../live/connection-audio.ts';
import { keyterms } from '../parameters.ts';
import { requestUuid } from '../request-uuid.ts';
import type { FluxRequest } from './handshake.ts';
import { type FluxCommand, readFluxMessage, turnInfo } from './messages.ts';
import { forModel, shownThresholds, withThresholds } from './thresholds.ts';

export class FluxProtocol implements StreamProtocol<FluxCommand> {
  readonly #context: ProtocolContext;
  readonly #request: FluxRequest;
  readonly #requestUuid: string;
  readonly #audio: ConnectionAudio;
  #thresholds: TurnThresholds;
  #keyterms: readonly string[];
  #terms: readonly Term[];
  #sequence = 0;

  constructor(context: ProtocolContext, request: FluxRequest, decoding: Pick<UploadDecoding, 'openLive'>) {
    this.#context = context;
    this.#request = request;
    this.#thresholds = request.thresholds;
    this.#keyterms = request.keyterms;
    this.#terms = request.live.vocabulary ?? [];
    this.#requestUuid = requestUuid(context.call.requestId);
    this.#audio = new ConnectionAudio({
      context,
      audio: request.audio,
      decoding,
      listeners: [(event) => this.#take(event)],
      options: () => ({ ...request.live, vocabulary: this.#terms }),
    });
  }

  get progress(): Progress {
    return { audioSeconds: this.#audio.secondsWith(0), isAnswered: false };
  }

  opened(): void {
    const { warnings } = this.#request;
    this.#send({ type: 'Connected', ...(warnings.length > 0 && { warnings }) });
  }

  read(data: Buffer, isBinary: boolean): ClientMessage<FluxCommand> {
    if (isBinary) return { kind: 'audio', audio: data, audioSeconds: this.#audio.secondsWith(data.length) };
    const message = readFluxMessage(data);
    if (typeof message === 'string')
      return { kind: 'control', event: { type: 'failed', failure: { code: 'INVALID_REQUEST', message } } };
    if (message.type === 'CloseStream') return { kind: 'control', event: { type: 'close_stream' } };
    const event = { type: 'keep_alive' } as const;
    return message.type === 'KeepAlive' ? { kind: 'control', event } : { kind: 'control', event, command: message };
  }

  perform(command: FluxCommand): void {
    if (command.type === 'Configure') this.#configure(command);
    else this.#audio.flush();
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
    return [];
  }

  error({ code, message }: Failure): object[] {
    return [this.#numbered({ type: 'Error', code, description: message })];
  }

  closing(code: number, reason: string) {
    if (code === CLOSE_CODES.done) return { code, reason: this.#audio.endReason };
    // A time-out: Deepgram's client reconnects at once after any code but 1000.
    return reason in ERRORS || code === CLOSE_CODES.restart ? { code, reason } : { code: CLOSE_CODES.done, reason };
  }

  #configure({ thresholds, keyterms: wanted, fixed }: Extract<FluxCommand, { type: 'Configure' }>): void {
    try {
      if (fixed.length > 0) throw new Error(`"${fixed[0]}" cannot be changed while the stream is open.`);
      const terms = wanted && keyterms(wanted);
      this.#thresholds = withThresholds(thresholds, this.#thresholds);
      Object.assign(this.#request.sessionThresholds, forModel(this.#thresholds));
      this.#keyterms = wanted ?? this.#keyterms;
      this.#terms = terms ?? this.#terms;
      const { stream } = this.#audio;
      if (stream) this.#context.call.setVocabulary(stream, this.#terms);
    } catch (thrown) {
      const description = thrown instanceof Error ? thrown.message : '';
      this.#send({ type: 'ConfigureFailure', description });
      return;
    }
    const shown = shownThresholds(this.#thresholds);
    this.#send({ type: 'ConfigureSuccess', thresholds: shown, keyterms: this.#keyterms });
  }

  #numbered(message: object): object {
    const sequence_id = this.#sequence++;
    return { ...message, request_id: this.#requestUuid, sequence_id };
  }

  #send(message: object): void {
    this.#context.send(this.#numbered(message));
  }

  #take(event: SessionEvent): void {
    if (event.type !== 'turn') return;
    const message = turnInfo(event.step, event.turn, this.#request.text);
    if (message) this.#send(message);
  }
}
