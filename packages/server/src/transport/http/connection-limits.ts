// Limits open connections, in total and per address. A connection over the limit is closed at once.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressList } from '../../lib/net/address-list.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Connections that may wait to be accepted; the kernel has its own limit. With Node's default of 511, a burst of
 * connections made the kernel drop SYN packets, which clients resend only after one second, then three.
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
    // All clients behind a proxy share its address.
    if (count > perAddressMax && !proxies.has(address)) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 1) - 1;
      if (remaining > 0) open.set(address, remaining);
      else open.delete(address);
    });
  });
};
