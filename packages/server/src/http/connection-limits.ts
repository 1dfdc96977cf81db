// How many connections the server takes, in all and from one address. One more is closed at once.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../platform/config.ts';

export const limitConnections = (
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress'>,
): void => {
  const open = new Map<string, number>();
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
};
