// Finds a port for a server that cannot choose a free one itself.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A loopback port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};
