// How many connections the server takes, in all and from one address. One more is closed at once.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/config.ts';
import { AddressList } from '../../lib/net/address-list.ts';

/**
 * Connections that may wait to be accepted; the kernel has a bound of its own. With Node's 511 a burst of others made a
 * caller's first packet go unheard, and the next one comes after a second, then after three.
 */
export const LISTEN_BACKLOG = 4_096;

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
