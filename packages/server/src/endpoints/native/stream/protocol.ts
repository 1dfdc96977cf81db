// The contract's own protocol: pcm16 frames, keep_alive and close_stream in; one result or error out, and turns on request.
import type { ErrorMessage, ResultMessage } from '@faircopy/contract';
import type { LiveDecoder } from '../../../audio/upload-decoding.ts';
import { mergeChannels } from '../../../calls/files/merge-channels.ts';
import type { TranscribedAudio } from '../../../calls/files/upload.ts';
import type { StreamAudio } from '../../../calls/streams/stream-audio.ts';
import { successBody } from '../../../calls/success-response.ts';
import { EMPTY_TEXT, type SessionEvent, TranscriptCollector } from '../../../calls/transcript.ts';
import { Fault } from '../../../lib/fault.ts';
import { errorBody } from '../../../transport/http/error-response.ts';
import type { Failure, Progress } from '../../../transport/websocket/connection-types.ts';
import {
  audioListener,
  type ClientMessage,
  type ProtocolContext,
  type StreamProtocol,
} from '../../../transport/websocket/stream-protocol.ts';
import type { StreamRequest } from './handshake.ts';
import { readClientMessage } from './messages.ts';
import { turnMessage } from './turns.ts';

const EMPTY: TranscribedAudio = {
  transcript: { ...EMPTY_TEXT, recognitionMs: 0, refinementMs: 0, refinementFallback: null },
  audioSeconds: 0,
};

export class NativeProtocol implements StreamProtocol {
  readonly #context: ProtocolContext;
  readonly #request: StreamRequest;
  readonly #openDecoder: (channel?: number) => LiveDecoder;
  #audio: StreamAudio | null = null;
  #audioBytes = 0;
  #transcribed: TranscribedAudio = EMPTY;

  /** `openDecoder` decodes all channels mixed, or one of them. */
  constructor(context: ProtocolContext, request: StreamRequest, openDecoder: (channel?: number) => LiveDecoder) {
    this.#context = context;
    this.#request = request;
    this.#openDecoder = openDecoder;
  }

  get billedChannels(): number {
    return this.#request.split ? this.#request.audio.channels : 1;
  }

  get progress(): Progress {
    return { audioSeconds: this.#secondsOf(this.#audioBytes), isAnswered: false };
  }

  read(data: Buffer, isBinary: boolean): ClientMessage<never> {
    if (isBinary) return { kind: 'audio', audio: data, audioSeconds: this.#secondsOf(this.#audioBytes + data.length) };
    const message = readClientMessage(data);
    return { kind: 'control', event: 'code' in message ? { type: 'failed', failure: message } : message };
  }

  write(audio: Buffer): void {
    this.#audio ??= this.#openAudio();
    this.#audioBytes += audio.length;
    this.#audio.write(audio);
  }

  finish(): void {
    this.#audio?.finish();
  }

  cancel(): void {
    this.#audio?.cancel();
  }

  transcript() {
    return this.#transcribed.transcript;
  }

  result(): ResultMessage[] {
    const facts = { requestId: this.#context.call.requestId, include: this.#request.include };
    return [{ type: 'result', ...successBody(this.#transcribed, facts) }];
  }

  error({ code, message }: Failure): ErrorMessage[] {
    return [{ type: 'error', ...errorBody(new Fault(code, { message }), this.#context.call.requestId) }];
  }

  closing(code: number, reason: string) {
    return { code, reason };
  }

  /** Counts whole sample frames only. */
  #secondsOf(bytes: number): number {
    const { channels, sampleRateHz } = this.#request.audio;
    return Math.floor(bytes / (2 * channels)) / sampleRateHz;
  }

  #sendTurn(event: SessionEvent): void {
    const message = event.type === 'turn' ? turnMessage(event.step, event.turn) : null;
    if (message) this.#context.send(message);
  }

  #openAudio(): StreamAudio {
    const { call, dispatch } = this.#context;
    const { split, transcription } = this.#request;
    const collectors = Array.from({ length: this.billedChannels }, () => new TranscriptCollector());
    const inputs = collectors.map((collector, channel) => ({
      decoder: this.#openDecoder(split && channel),
      onEvent: (event: SessionEvent) => {
        collector.take(event);
        this.#sendTurn(event);
      },
    }));
    const listener = audioListener(this.#context, (_summary, audioSeconds) => {
      const transcripts = collectors.map(({ transcript }) => transcript);
      this.#transcribed = split
        ? { transcript: mergeChannels(transcripts, split.names), audioSeconds, channels: transcripts.length }
        : { transcript: transcripts[0]!, audioSeconds };
      dispatch({ type: 'transcribed', audioSeconds });
    });
    return call.openAudio(transcription, inputs, listener);
  }
}
