// Clients of the service with the playground's own short-lived key.
import { Faircopy } from '@faircopy/client';
import { useMemo, useRef } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { HOME, SERVICE_URL } from '../../base-path.ts';

/** A key about to run out is replaced before it fails a request. */
const MARGIN_MS = 60_000;

interface Held {
  readonly accountId: string;
  readonly apiKey: string;
  readonly expiresAtMs: number;
}

export interface Clients {
  /** Files go to the console's own endpoint, which is the public one for every format. */
  files(): Promise<Faircopy>;
  /** Live streams go to the public endpoint. */
  live(): Promise<Faircopy>;
}

export const useClients = (accountId: string): Clients => {
  const held = useRef<Held | null>(null);
  return useMemo(() => {
    const key = async (): Promise<string> => {
      const now = held.current;
      if (now && now.accountId === accountId && now.expiresAtMs - MARGIN_MS > Date.now()) return now.apiKey;
      const { key: apiKey, expires_at: expiresAt } = await api.playgroundKey(accountId);
      held.current = { accountId, apiKey, expiresAtMs: Date.parse(expiresAt) };
      return apiKey;
    };
    return {
      files: async () => new Faircopy({ baseUrl: `${location.origin}${HOME}/api`, apiKey: await key() }),
      live: async () => new Faircopy({ baseUrl: SERVICE_URL, apiKey: await key() }),
    };
  }, [accountId]);
};
