// Whether an address can be listened on, and what to say and do when it cannot.
import { createServer } from 'node:net';

/** Settings of the host and the port, which one setting may hold both of. */
interface Names {
  readonly host: string;
  readonly port: string;
}

const ADVICE: Readonly<Record<string, (names: Names) => string>> = {
  EADDRINUSE: ({ port }) => `another program listens there; stop it, or set ${port} to another port`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no such address; set ${host} to one of its own, 0.0.0.0 or 127.0.0.1`,
  ENOTFOUND: ({ host }) => `the host name is unknown; set ${host} to an address of this machine, 0.0.0.0 or 127.0.0.1`,
  EAI_AGAIN: ({ host }) => `no name server answers; set ${host} to an address of this machine`,
  EACCES: ({ port }) => `ports below 1024 need more rights; set ${port} to another port`,
};

/** Where to listen for a setting. `localhost` means ::1 on some machines, and most clients try 127.0.0.1. */
export const listenHost = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/** One sentence, without a full stop. `setting` holds both host and port of other listeners than the main one. */
export const listenSentence = (
  { host, port }: { readonly host: string; readonly port: number },
  code: string,
  setting?: string,
): string => {
  const names = { host: setting ?? 'HOST', port: setting ?? 'PORT' };
  const advice = ADVICE[code]?.(names) ?? `set ${setting ?? 'PORT or HOST'}`;
  return `Cannot listen on ${host}:${port} (${code}): ${advice}`;
};

/** The code of what is in the way; null when the address is free. */
export const listenFault = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
