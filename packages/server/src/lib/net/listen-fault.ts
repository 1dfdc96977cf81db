// Checks whether an address can be listened on, and explains when it cannot.
import { createServer } from 'node:net';

/** Names of the settings for host and port; one setting may hold both. */
interface Names {
  readonly host: string;
  readonly port: string;
}

const ADVICE: Readonly<Record<string, (names: Names) => string>> = {
  EADDRINUSE: ({ port }) => `another program listens there; stop it, or set ${port} to another port`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no such address; set ${host} to one of its own, 0.0.0.0 or 127.0.0.1`,
  ENOTFOUND: ({ host }) => `the host name is unknown; set ${host} to an address of this machine, 0.0.0.0 or 127.0.0.1`,
  EAI_AGAIN: ({ host }) => `no name server answers; set ${host} to an address of this machine`,
  EACCES: ({ port }) => `ports below 1024 require extra privileges; set ${port} to another port`,
};

/** The host to listen on. `localhost` means ::1 on some machines, but most clients try 127.0.0.1. */
export const listenHost = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/** One sentence without a full stop. */
export const listenSentence = (
  { host, port }: { readonly host: string; readonly port: number },
  code: string,
  setting?: string,
): string => {
  const names = { host: setting ?? 'HOST', port: setting ?? 'PORT' };
  const advice = ADVICE[code]?.(names) ?? `set ${setting ?? 'PORT or HOST'}`;
  return `Cannot listen on ${host}:${port} (${code}): ${advice}`;
};

/** The error code of the conflict; null when the address is free. */
export const listenFault = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
