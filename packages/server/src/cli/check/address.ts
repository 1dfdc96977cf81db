// Checks whether the address is free, or already served by Faircopy.
import type { Config } from '../../app/config.ts';
import { listenFault, listenSentence } from '../../lib/net/listen-fault.ts';
import type { Finding } from './finding.ts';

const ANSWER_MS_MAX = 2_000;

const isFaircopy = async (host: string, port: number): Promise<boolean> => {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    return ((await answer.json()) as { status?: string }).status === 'alive' && answer.headers.has('x-request-id');
  } catch {
    return false;
  }
};

export const address = async (config: Config): Promise<Finding> => {
  const { host, port } = config;
  const what = 'port';
  const where = `${host}:${port}`;
  const code = await listenFault(host, port);
  if (code === null) return { what, verdict: 'ok', says: `${where} is free` };
  if (code === 'EADDRINUSE' && (await isFaircopy(host, port)))
    return { what, verdict: 'ok', says: `${where} is served by a running Faircopy` };
  return { what, verdict: 'fail', says: listenSentence(config, code) };
};
