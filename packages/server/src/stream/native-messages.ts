// The text messages of a stream: reading the client's, writing the server's.
import { CLOSE_CODES, type ClientMessage, clientMessage, LIMITS } from '@faircopy/contract';
import type { Failure } from './connection-types.ts';

const UNDERSTOOD = 'A text message is a JSON object whose "type" is "keep_alive" or "close_stream".';

const bad = (message: string, closeCode?: number): Failure => ({
  code: 'INVALID_REQUEST',
  message,
  ...(closeCode === undefined ? {} : { closeCode }),
});

/** The message, or why it is none. What was sent is never repeated in the answer. */
export const readClientMessage = (text: Buffer): ClientMessage | Failure => {
  if (text.length > LIMITS.streamTextBytesMax) {
    return bad(`A text message may have ${LIMITS.streamTextBytesMax} bytes at most.`, CLOSE_CODES.frameTooBig);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return bad(`The text message is not JSON. ${UNDERSTOOD}`);
  }
  const parsed = clientMessage.safeParse(value);
  return parsed.success ? parsed.data : bad(`The type of the message is not known. ${UNDERSTOOD}`);
};

/** What a peer that breaks the WebSocket protocol itself is told, by the close code that fits. */
export const violation = (closeCode: number): Failure =>
  closeCode === CLOSE_CODES.frameTooBig
    ? bad(`A frame may have ${LIMITS.streamFrameBytesMax} bytes at most.`, closeCode)
    : bad('The frame breaks the WebSocket protocol.', closeCode);

export const FLOOD: Failure = bad('Too many control messages in a short time.', CLOSE_CODES.policy);
