// Reads the client's text messages of a native stream.
import { CLOSE_CODES, type ClientMessage, clientMessage, LIMITS } from '@faircopy/contract';
import type { Failure } from '../../../transport/websocket/connection-types.ts';

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
