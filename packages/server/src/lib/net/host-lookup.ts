// Looks up hosts that callers name. Slow name servers of one caller must not delay the lookups of others.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const PER_OWNER_MAX = 8;
const IN_ALL_MAX = 256;

export class TooManyLookups extends Error {
  override readonly name = 'TooManyLookups';
}

export interface HostLookupOptions {
  /** Name servers, as `address:port`. Default: the system's. */
  readonly servers?: readonly string[];
}

export class HostLookup {
  readonly #servers: readonly string[] | undefined;
  readonly #byOwner = new Map<string, number>();
  #inAll = 0;

  constructor({ servers }: HostLookupOptions = {}) {
    this.#servers = servers;
  }

  /** All addresses of the host. Rejects if there are none, if the signal aborts, or if a limit is exceeded. */
  async addresses(host: string, owner: string, signal?: AbortSignal): Promise<readonly HostAddress[]> {
    const family = isIP(host);
    if (family === 4 || family === 6) return [{ address: host, family }];
    // These names are never sent to a name server (RFC 6761).
    if (host === 'localhost' || host.endsWith('.localhost')) return [{ address: '127.0.0.1', family: 4 }];
    const own = this.#byOwner.get(owner) ?? 0;
    if (own >= PER_OWNER_MAX || this.#inAll >= IN_ALL_MAX) throw new TooManyLookups('Too many lookups in progress.');
    this.#count(owner, 1);
    try {
      return await this.#resolve(host, signal);
    } finally {
      this.#count(owner, -1);
    }
  }

  async #resolve(host: string, signal: AbortSignal | undefined): Promise<readonly HostAddress[]> {
    signal?.throwIfAborted();
    // dns.lookup blocks one of the four threads that file I/O also uses. A resolver blocks none and can be cancelled.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.#servers) resolver.setServers(this.#servers);
    const cancel = () => resolver.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      signal?.throwIfAborted();
      const found: HostAddress[] = [];
      if (four.status === 'fulfilled') for (const address of four.value) found.push({ address, family: 4 });
      if (six.status === 'fulfilled') for (const address of six.value) found.push({ address, family: 6 });
      if (found.length === 0) throw four.status === 'rejected' ? four.reason : new Error(`${host} has no address`);
      return found;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #count(owner: string, change: 1 | -1): void {
    this.#inAll += change;
    const own = (this.#byOwner.get(owner) ?? 0) + change;
    if (own > 0) this.#byOwner.set(owner, own);
    else this.#byOwner.delete(owner);
  }
}
