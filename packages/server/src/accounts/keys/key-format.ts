// The format of API keys: `fc_`, 32 random bytes in base 62, and a checksum that detects typos without a look-up.
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'fc_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** The base-62 digits needed for 32 bytes. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const SHOWN_DIGITS = 6;

const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

const base62 = (value: bigint, digits: number): string => {
  let text = '';
  for (let rest = value, place = 0; place < digits; place++, rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
};

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 detects every single wrong character and swapped pair. Early releases of Node 20 lack zlib.crc32. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
};

const withChecksum = (body: string): string => body + base62(BigInt(crc32(body)), CHECKSUM_DIGITS);

export const newKey = (secret: Uint8Array = randomBytes(SECRET_BYTES)): string =>
  withChecksum(PREFIX + base62(BigInt(`0x${Buffer.from(secret).toString('hex')}`), SECRET_DIGITS));

/** Checks the format and the checksum. */
export const isWellFormedKey = (text: string): boolean =>
  FORM.test(text) && withChecksum(text.slice(0, -CHECKSUM_DIGITS)) === text;

/** Stored instead of the key. Keys are fully random, so a fast hash is safe. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The start of a key, shown in lists. */
export const shownPrefix = (key: string): string => key.slice(0, PREFIX.length + SHOWN_DIGITS);
