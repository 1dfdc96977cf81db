// The client's address: the socket's, or the one that trusted proxies report.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { type AddressList, plainAddress } from '../../lib/net/address-list.ts';

/** Strips quotes, brackets and the port; null when it is not an address ("unknown", "_hidden"). */
const bareAddress = (text: string): string | null => {
  const unquoted = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(unquoted)?.[1] ?? unquoted.replace(/^([\d.]+):\d+$/, '$1');
  return isIP(address) === 0 ? null : plainAddress(address);
};

/** X-Forwarded-For as a chain of addresses, the client first. */
const fromForwardedFor = (header: string | string[] | undefined): (string | null)[] =>
  header === undefined ? [] : String(header).split(',').map(bareAddress);

/** The `for` parts of Forwarded (RFC 7239) as a chain of addresses, the client first. */
const fromForwarded = (header: string | undefined): (string | null)[] =>
  header === undefined
    ? []
    : header.split(',').map((hop) => bareAddress(/(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(hop)?.[1] ?? ''));

/** Walks the chain from the server outwards and returns the first address that is not a trusted proxy. */
const outermost = (peer: string, chain: readonly (string | null)[], trusted: AddressList): string => {
  let known = peer;
  for (const hop of [...chain].reverse()) {
    if (hop === null || !trusted.has(known)) break;
    known = hop;
  }
  return known;
};

export const clientAddress = (peer: string, headers: IncomingHttpHeaders, trusted: AddressList): string => {
  const socketAddress = plainAddress(peer);
  if (!trusted.has(socketAddress)) return socketAddress;
  const said = [fromForwardedFor(headers['x-forwarded-for']), fromForwarded(headers.forwarded)]
    .filter((chain) => chain.length > 0)
    .map((chain) => outermost(socketAddress, chain, trusted));
  // A proxy writes one of the two headers. The client may have forged the other, so they must agree.
  return new Set(said).size === 1 ? said[0]! : socketAddress;
};
