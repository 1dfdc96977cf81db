// How many connections the server takes, in all and from one address. One more is closed at once.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressList } from '../platform/address-list.ts';
import type { Config } from '../platform/config.ts';

export type ConnectionLimits = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress'> &
  Partial<Pick<Config, 'trustedProxies'>>;

export const limitConnections = (
  server: Server,
  { maxConnections, maxConnectionsPerAddress, trustedProxies = [] }: ConnectionLimits,
): void => {
  const proxies = new AddressList(trustedProxies);
  const open = new Map<string, number>();
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    // Everybody behind a proxy comes from its one address.
    if (count > maxConnectionsPerAddress && !proxies.has(address)) {
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
