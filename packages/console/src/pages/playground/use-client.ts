// A client of the public interface for this page, with a short-lived key of its own.
import { Faircopy } from '@faircopy/client';
import { useCallback, useRef } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { SERVICE_URL } from '../../base-path.ts';

/** A key about to run out is replaced before it fails a request. */
const MARGIN_MS = 60_000;

interface Held {
  readonly accountId: string;
  readonly client: Faircopy;
  readonly expiresAtMs: number;
}

export const useClient = (accountId: string): (() => Promise<Faircopy>) => {
  const held = useRef<Held | null>(null);
  return useCallback(async () => {
    const now = held.current;
    if (now && now.accountId === accountId && now.expiresAtMs - MARGIN_MS > Date.now()) return now.client;
    const { key, expires_at: expiresAt } = await api.playgroundKey(accountId);
    const client = new Faircopy({ baseUrl: SERVICE_URL, apiKey: key });
    held.current = { accountId, client, expiresAtMs: Date.parse(expiresAt) };
    return client;
  }, [accountId]);
};
