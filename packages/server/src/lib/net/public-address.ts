// Sends requests to URLs from callers, to public addresses only. Resolves a name once and uses the checked address.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { type HostAddress, HostLookup, TooManyLookups } from './host-lookup.ts';

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
/** Only global unicast IPv6, without ranges that map to IPv4. */
const GLOBAL_6 = new BlockList();
GLOBAL_6.addSubnet('2000::', 3, 'ipv6');
const SPECIAL_6 = new BlockList();
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL_6.addSubnet(net, prefix, 'ipv6');

export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !PRIVATE.check(address, 'ipv4');
  return isIP(address) === 6 && GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6');
};

/** The address is refused; the message is a sentence for the caller. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const URL_LENGTH_MAX = 4096;
/** Below this port, only the ports of HTTP are allowed. */
const FREE_PORT_MIN = 1024;
const HTTP_PORTS = ['', '80', '443'];

/** Parses a URL. Throws AddressRefused with the reason if it is not accepted. */
export const publicUrl = (text: string, { base, protocols }: { base?: URL; protocols: readonly string[] }): URL => {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new AddressRefused('The url is not valid.');
  }
  if (text.length > URL_LENGTH_MAX || !protocols.includes(url.protocol))
    throw new AddressRefused(`Only ${protocols.map((name) => name.slice(0, -1)).join(' and ')} URLs are accepted.`);
  if (url.username !== '' || url.password !== '')
    throw new AddressRefused('A url with a user name or password is not accepted.');
  if (!HTTP_PORTS.includes(url.port) && Number(url.port) < FREE_PORT_MIN)
    throw new AddressRefused(`Port ${url.port} is not accepted; use 80, 443 or a port from ${FREE_PORT_MIN} up.`);
  return url;
};

export type AddressCheck = (address: string) => boolean;

/** The caller's account, and the addresses that it may reach. */
export interface AddressRules {
  /** The account. Lookups are limited per owner. */
  readonly owner: string;
  readonly isAllowedAddress?: AddressCheck | undefined;
  readonly signal?: AbortSignal;
}

const hosts = new HostLookup();

/** Resolves the host. Throws AddressRefused if any of its addresses is not public. */
export const addressOf = async (
  url: URL,
  { owner, isAllowedAddress = isPublicAddress, signal }: AddressRules,
): Promise<HostAddress> => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await hosts.addresses(host, owner, signal).catch((thrown) => {
    signal?.throwIfAborted();
    throw new AddressRefused(thrown instanceof TooManyLookups ? thrown.message : 'The host of the url was not found.');
  });
  const [first] = found;
  if (!first || !found.every(({ address }) => isAllowedAddress(address)))
    throw new AddressRefused('The url leads to an address that is not public.');
  return first;
};

export interface PublicRequest extends AddressRules {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends one request to the checked address. Does not follow redirects, so that the caller can check each one. */
export const requestPublicUrl = async (
  url: URL,
  { method, headers, body, timeoutMs, signal, owner, isAllowedAddress }: PublicRequest,
): Promise<IncomingMessage> => {
  const { address, family } = await addressOf(url, { owner, isAllowedAddress, signal });
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, {
      agent: false,
      method,
      timeout: timeoutMs,
      signal,
      headers: { 'user-agent': 'faircopy', ...headers },
      lookup: (_host, options, done) => {
        if (typeof options === 'object' && options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    request.on('response', resolve);
    request.on('timeout', () => request.destroy(new Error('the server did not respond in time')));
    request.on('error', (cause) => reject(signal.aborted ? signal.reason : cause));
    request.end(body);
  });
};
