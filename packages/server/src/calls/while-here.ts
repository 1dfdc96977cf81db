// Waiting for something only as long as the caller does.
import type { ServerResponse } from 'node:http';
import { ClientLeft } from './client-left.ts';

/** The signal aborts when the caller leaves. */
export const whileHere = async <T>(response: ServerResponse, work: (left: AbortSignal) => Promise<T>): Promise<T> => {
  const left = new AbortController();
  const onClose = () => left.abort(new ClientLeft());
  if (response.destroyed) onClose();
  response.once('close', onClose);
  try {
    return await work(left.signal);
  } finally {
    response.off('close', onClose);
  }
};
