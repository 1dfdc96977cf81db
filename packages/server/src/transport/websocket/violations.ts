// Failures for peers that break the WebSocket protocol or flood the connection.
import { CLOSE_CODES, LIMITS } from '@faircopy/contract';
import type { Failure } from './connection-types.ts';

export const violation = (closeCode: number): Failure => ({
  code: 'INVALID_REQUEST',
  message:
    closeCode === CLOSE_CODES.frameTooBig
      ? `A frame may have at most ${LIMITS.streamFrameBytesMax} bytes.`
      : 'The frame breaks the WebSocket protocol.',
  closeCode,
});

export const FLOOD: Failure = {
  code: 'INVALID_REQUEST',
  message: 'Too many control messages in a short time.',
  closeCode: CLOSE_CODES.policy,
};
