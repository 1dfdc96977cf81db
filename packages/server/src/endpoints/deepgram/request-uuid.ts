// Converts a request id to a UUID, as Deepgram's are. This server's ids are ULIDs, which also have 128 bits.
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Writes the first 128 bits of a hexadecimal number as a UUID. */
export const uuidFrom = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

export const requestUuid = (ulid: string): string => {
  let bits = 0n;
  for (const letter of ulid.toUpperCase()) bits = bits * 32n + BigInt(Math.max(0, CROCKFORD.indexOf(letter)));
  return uuidFrom(BigInt.asUintN(128, bits).toString(16).padStart(32, '0'));
};
