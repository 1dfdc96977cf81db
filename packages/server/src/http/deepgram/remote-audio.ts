// Fetches a recording from an address that a caller names, without letting the caller reach what is not public.
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { Fault } from '../../platform/fault.ts';

const REDIRECTS_MAX = 3;
const URL_LENGTH_MAX = 4096;

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
/** Of IPv6 only what is global unicast is asked, and not what stands for an IPv4 address. */
const GLOBAL_6 = new BlockList();
GLOBAL_6.addSubnet('2000::', 3, 'ipv6');
const SPECIAL_6 = new BlockList();
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  SPECIAL_6.addSubnet(net, prefix, 'ipv6');

export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !PRIVATE.check(address, 'ipv4');
  return isIP(address) === 6 && GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6');
};

const refused = (message: string): Fault => new Fault('INVALID_REQUEST', { message, parameter: 'url' });

const parsed = (text: string, base?: URL): URL => {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw refused('The url is not valid.');
  }
  if (text.length > URL_LENGTH_MAX || !['http:', 'https:'].includes(url.protocol))
    throw refused('Only http and https addresses are fetched.');
  if (url.username !== '' || url.password !== '') throw refused('An address with a password in it is not fetched.');
  return url;
};

export interface RemoteAudioOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Which addresses may be asked; others in tests. */
  readonly mayAsk?: (address: string) => boolean;
}

/** The address behind the name, looked up once: what is asked is what was checked. */
const addressOf = async (url: URL, mayAsk: (address: string) => boolean) => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => {
    throw refused('The host of the url is not known.');
  });
  const [first] = found;
  if (!first || !found.every(({ address }) => mayAsk(address)))
    throw refused('The url leads to an address that is not public.');
  return first;
};

const ask = async (url: URL, { timeoutMs, signal, mayAsk = isPublicAddress }: RemoteAudioOptions) => {
  const { address, family } = await addressOf(url, mayAsk);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, {
      agent: false,
      timeout: timeoutMs,
      signal,
      headers: { accept: '*/*', 'user-agent': 'faircopy' },
      lookup: (_host, options, done) => {
        if (typeof options === 'object' && options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    asked.on('response', resolve);
    asked.on('timeout', () => asked.destroy(new Error('the server is silent')));
    asked.on('error', (cause) => reject(signal.aborted ? signal.reason : cause));
    asked.end();
  });
};

/** The body of the recording. The caller bounds its size. */
export const openRemoteAudio = async (text: string, options: RemoteAudioOptions): Promise<IncomingMessage> => {
  let url = parsed(text);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    let response: IncomingMessage;
    try {
      response = await ask(url, options);
    } catch (thrown) {
      if (thrown instanceof Fault || options.signal.aborted) throw thrown;
      throw refused('The url could not be read.');
    }
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    response.destroy();
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined)
      throw refused(`The url was answered with status ${statusCode}.`);
    url = parsed(headers.location, url);
  }
  throw refused(`The url leads on more than ${REDIRECTS_MAX} times.`);
};
