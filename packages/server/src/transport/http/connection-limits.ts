// How many connections the server takes, in all and from one address. One more is closed at once.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressList } from '../../lib/net/address-list.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Connections that may wait to be accepted; the kernel has a bound of its own. With Node's 511 a burst of others made a
 * caller's first packet go unheard, and the next one comes after a second, then after three.
 */
export const LISTEN_BACKLOG = 4_096;

/** One address may have this share of the connections. */
const SHARE_PER_ADDRESS = 1 / 4;

export const limitConnections = (
  server: Server,
  { maxConnections, trustedProxies }: Pick<HttpSettings, 'maxConnections' | 'trustedProxies'>,
): void => {
  const proxies = new AddressList(trustedProxies);
  const open = new Map<string, number>();
  const perAddressMax = Math.ceil(SHARE_PER_ADDRESS * maxConnections);
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    // Everybody behind a proxy comes from its one address.
    if (count > perAddressMax && !proxies.has(address)) {
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
