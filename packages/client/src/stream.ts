// Stream mode: audio out, one answer at the end.
import type { ServerMessage, SuccessResponse, TurnMessage } from '@faircopy/contract';
import { AudioStream, type StreamParts } from './audio-stream.ts';
import { FaircopyError, parseJson } from './error.ts';
import { type TurnEvent, turnEventOf } from './turn-events.ts';

const MESSAGES = { keepAlive: '{"type":"keep_alive"}', finish: '{"type":"close_stream"}' };

export class TranscriptionStream extends AudioStream<SuccessResponse> {
  /** The answer to this stream. Always settles; rejects with the reason of an abort. */
  readonly result = this.ended;

  readonly #onTurn: ((event: TurnEvent) => void) | undefined;

  constructor(parts: StreamParts, onTurn?: (event: TurnEvent) => void) {
    super(parts, MESSAGES);
    this.#onTurn = onTurn;
  }

  protected override onMessage(text: string): void {
    const message = parseJson(text) as ServerMessage | TurnMessage | undefined;
    if (message?.type === 'turn') this.#onTurn?.(turnEventOf(message));
    else if (message?.type === 'result') {
      const { type: _, ...answer } = message;
      this.resolve(answer);
    } else if (message?.type === 'error') {
      const { error, request_id: requestId } = message;
      this.reject(new FaircopyError(error.code, error.message, { requestId }));
    }
  }
}
