// Parses the client's text messages on a native stream.
import { CLOSE_CODES, type ClientMessage, clientMessage, LIMITS } from '@faircopy/contract';
import type { Failure } from '../../../transport/websocket/connection-types.ts';

const EXPECTED = 'A text message must be a JSON object whose "type" is "keep_alive" or "close_stream".';

const bad = (message: string, closeCode?: number): Failure => ({
  code: 'INVALID_REQUEST',
  message,
  ...(closeCode === undefined ? {} : { closeCode }),
});

/** Returns the message, or a failure, which never repeats what was sent. */
export const readClientMessage = (text: Buffer): ClientMessage | Failure => {
  if (text.length > LIMITS.streamTextBytesMax) {
    return bad(`A text message may have at most ${LIMITS.streamTextBytesMax} bytes.`, CLOSE_CODES.frameTooBig);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return bad(`The text message is not JSON. ${EXPECTED}`);
  }
  const parsed = clientMessage.safeParse(value);
  return parsed.success ? parsed.data : bad(`The type of the message is not known. ${EXPECTED}`);
};
