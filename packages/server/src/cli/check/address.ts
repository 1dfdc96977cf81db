// Checks whether the address can be listened on, or is served by Faircopy already.
import { createServer } from 'node:net';
import type { Config } from '../../platform/config.ts';
import type { Finding } from './finding.ts';

const ANSWER_MS_MAX = 2_000;

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; set PORT to another port',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own, 0.0.0.0 or 127.0.0.1',
  ENOTFOUND: 'HOST is no address and no known name',
  EACCES: 'ports below 1024 need more rights; set PORT to another port',
};

const listenFault = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });

const isFaircopy = async (host: string, port: number): Promise<boolean> => {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    return ((await answer.json()) as { status?: string }).status === 'alive' && answer.headers.has('x-request-id');
  } catch {
    return false;
  }
};

export const address = async ({ host, port }: Config): Promise<Finding> => {
  const what = 'port';
  const where = `${host}:${port}`;
  const code = await listenFault(host, port);
  if (code === null) return { what, verdict: 'ok', says: `${where} is free` };
  if (code === 'EADDRINUSE' && (await isFaircopy(host, port)))
    return { what, verdict: 'ok', says: `${where} is served by a running Faircopy` };
  return {
    what,
    verdict: 'fail',
    says: `${where} cannot be listened on (${code}): ${WHY[code] ?? 'set PORT or HOST'}`,
  };
};
