// Whether an address can be listened on, and what to say and do when it cannot.
import { createServer } from 'node:net';

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; stop it, or set PORT to another port',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own, 0.0.0.0 or 127.0.0.1',
  ENOTFOUND: 'HOST is no address and no known name; set it to an address of this machine, 0.0.0.0 or 127.0.0.1',
  EAI_AGAIN: 'HOST is no address, and no name server answers; set it to an address of this machine',
  EACCES: 'ports below 1024 need more rights; set PORT to another port',
};

/** Where to listen for a setting. `localhost` means ::1 on some machines, and most clients try 127.0.0.1. */
export const listenHost = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/** One sentence. */
export const listenSentence = (where: string, code: string): string =>
  `${where} cannot be listened on (${code}): ${WHY[code] ?? 'set PORT or HOST'}`;

/** The code of what is in the way; null when the address is free. */
export const listenFault = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
