// The contract's own protocol: frames of pcm16, keep_alive and close_stream in; one result or error out.
import type { ErrorMessage, ResultMessage } from '@faircopy/contract';
import type { UploadDecoder } from '../../../audio/upload-decoding.ts';
import type { AudioPipe } from '../../../calls/audio-pipe.ts';
import { successBody, type TranscribedAudio } from '../../../calls/success-response.ts';
import { Fault } from '../../../lib/fault.ts';
import { errorBody } from '../../../transport/http/error-response.ts';
import type { Failure } from '../../../transport/websocket/connection-types.ts';
import type { Incoming, ProtocolContext, StreamProtocol } from '../../../transport/websocket/stream-protocol.ts';
import { readClientMessage } from './native-messages.ts';
import type { StreamRequest } from './stream-request.ts';

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

export class NativeProtocol implements StreamProtocol {
  readonly #context: ProtocolContext;
  readonly #request: StreamRequest;
  readonly #openDecoder: () => UploadDecoder;
  #pipe: AudioPipe | null = null;
  #transcribed: TranscribedAudio = NOTHING_SAID;

  constructor(context: ProtocolContext, request: StreamRequest, openDecoder: () => UploadDecoder) {
    this.#context = context;
    this.#request = request;
    this.#openDecoder = openDecoder;
  }

  isControl(_data: Buffer, isBinary: boolean): boolean {
    return !isBinary;
  }

  read(data: Buffer, isBinary: boolean): Incoming {
    if (isBinary) return { event: { type: 'audio', bytes: data.length }, audio: data };
    const message = readClientMessage(data);
    return { event: 'code' in message ? { type: 'failed', failure: message } : { type: message.type } };
  }

  write(audio: Buffer): void {
    const { call, dispatch, failure } = this.#context;
    this.#pipe ??= call.openPipe(this.#request.transcription, this.#openDecoder, {
      full: () => dispatch({ type: 'full' }),
      room: () => dispatch({ type: 'room' }),
      failed: (fault) => dispatch({ type: 'failed', failure: failure(fault) }),
      transcribed: (transcript, audioSeconds) => {
        this.#transcribed = { transcript, audioSeconds };
        dispatch({ type: 'transcribed', audioSeconds });
      },
    });
    this.#pipe.write(audio);
  }

  finish(): void {
    this.#pipe?.finish();
  }

  cancel(): void {
    this.#pipe?.cancel();
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
}
