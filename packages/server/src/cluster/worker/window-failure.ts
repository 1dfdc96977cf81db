// Converts a worker's error to the failure that is sent to the gateway.
import { RecogniserUnavailable } from '../../speech/recogniser.ts';

export const failureOf = (cause: unknown): { reason: 'unavailable' | 'failed'; message: string } => {
  const { name, message } = cause instanceof Error ? cause : new Error('unknown');
  const reason = cause instanceof RecogniserUnavailable ? 'unavailable' : 'failed';
  return { reason, message: `${name}: ${message}`.slice(0, 2_000) };
};
