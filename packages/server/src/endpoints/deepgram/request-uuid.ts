// Deepgram's request ids are UUIDs. Ours are ULIDs, which also have 128 bits.
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const requestUuid = (ulid: string): string => {
  let bits = 0n;
  for (const letter of ulid.toUpperCase()) bits = bits * 32n + BigInt(Math.max(0, CROCKFORD.indexOf(letter)));
  const hex = BigInt.asUintN(128, bits).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
