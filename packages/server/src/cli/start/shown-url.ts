// The address that people are told: a name they can open, rather than what the socket is bound to.
import type { Config } from '../../app/config.ts';

const EVERYWHERE = new Set(['0.0.0.0', '[::]', '127.0.0.1', '[::1]']);

export const shownUrl = (config: Pick<Config, 'publicUrl'>, listeningUrl: string): string => {
  if (config.publicUrl !== undefined) return config.publicUrl.replace(/\/$/, '');
  const url = new URL(listeningUrl);
  return EVERYWHERE.has(url.hostname) ? `http://localhost:${url.port}` : listeningUrl;
};
