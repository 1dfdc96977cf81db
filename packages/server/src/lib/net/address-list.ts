// Parses lists of network addresses and ranges (CIDR) in settings.
import { BlockList, isIP } from 'node:net';

/** Unwraps an IPv4 address that arrived on an IPv6 socket. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Describes what is wrong with an entry; null if it is valid. */
export const addressFault = (entry: string): string | null => {
  const [address = '', prefix, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return `"${entry}" is not an address or range such as 10.0.0.0/8`;
  if (prefix === undefined) return null;
  const bitsMax = version === 4 ? 32 : 128;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bitsMax ? null : `"${entry}" needs 0 to ${bitsMax} after the /`;
};

export class AddressList {
  readonly #list = new BlockList();

  /** Entries must be valid. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', prefix] = entry.split('/');
      if (prefix === undefined) this.#list.addAddress(address, familyOf(address));
      else this.#list.addSubnet(address, Number(prefix), familyOf(address));
    }
  }

  has(address: string): boolean {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#list.check(plain, familyOf(plain));
  }
}
