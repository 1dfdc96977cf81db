// Stream mode: audio out, one answer at the end.
import type { ServerMessage, SuccessResponse } from '@faircopy/contract';
import { AudioStream, type StreamParts } from './audio-stream.ts';
import { FaircopyError, parseJson } from './error.ts';

const MESSAGES = { keepAlive: '{"type":"keep_alive"}', finish: '{"type":"close_stream"}' };

export class TranscriptionStream extends AudioStream<SuccessResponse> {
  /** The answer to this stream. Always settles; after an abort, rejects with its reason. */
  readonly result = this.ended;

  constructor(parts: StreamParts) {
    super(parts, MESSAGES);
  }

  protected override onMessage(text: string): void {
    const message = parseJson(text) as ServerMessage | undefined;
    if (message?.type === 'result') {
      const { type: _, ...answer } = message;
      this.resolve(answer);
    } else if (message?.type === 'error') {
      const { error, request_id: requestId } = message;
      this.reject(new FaircopyError(error.code, error.message, { requestId }));
    }
  }
}
