// Runs work with a signal that aborts when the client disconnects.
import type { ServerResponse } from 'node:http';
import { ClientLeft } from '../../calls/client-left.ts';

export const withDisconnectSignal = async <T>(
  response: ServerResponse,
  work: (disconnected: AbortSignal) => Promise<T>,
): Promise<T> => {
  const disconnected = new AbortController();
  const onClose = () => disconnected.abort(new ClientLeft());
  if (response.destroyed) onClose();
  response.once('close', onClose);
  try {
    return await work(disconnected.signal);
  } finally {
    response.off('close', onClose);
  }
};
