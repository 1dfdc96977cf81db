// Clients of the service, with a short-lived key for the playground.
import { Faircopy } from '@faircopy/client';
import { useMemo, useRef } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { CONSOLE_PATH, SERVICE_URL } from '../../paths.ts';

/** A key is replaced this long before it expires. */
const MARGIN_MS = 60_000;

interface HeldKey {
  readonly accountId: string;
  readonly apiKey: string;
  readonly expiresAtMs: number;
}

export interface Clients {
  /** For files: uses the console's endpoint, which is like the public one but accepts every format. */
  files(): Promise<Faircopy>;
  /** For live streams: uses the public endpoint. */
  live(): Promise<Faircopy>;
  /** The key, for other requests. */
  key(): Promise<string>;
}

export const useClients = (accountId: string): Clients => {
  const held = useRef<HeldKey | null>(null);
  return useMemo(() => {
    const key = async (): Promise<string> => {
      const current = held.current;
      if (current?.accountId === accountId && current.expiresAtMs - MARGIN_MS > Date.now()) return current.apiKey;
      const { key: apiKey, expires_at: expiresAt } = await api.playgroundKey(accountId);
      held.current = { accountId, apiKey, expiresAtMs: Date.parse(expiresAt) };
      return apiKey;
    };
    return {
      key,
      files: async () => new Faircopy({ baseUrl: `${location.origin}${CONSOLE_PATH}/api`, apiKey: await key() }),
      live: async () => new Faircopy({ baseUrl: SERVICE_URL, apiKey: await key() }),
    };
  }, [accountId]);
};
