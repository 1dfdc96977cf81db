// Client secrets: short-lived keys for browsers, signed with a key that is derived from the API key. The database has
// only the public half, so neither a copy of it nor a client secret yields the API key or another client secret.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { derivedKey } from '../../lib/sealed.ts';
import { hashOfKey } from './key-format.ts';

const PREFIX = 'ek_';
const PURPOSE = 'client secrets';
const HASH_BYTES = 32;
const END_BYTES = 8;
const SIGNATURE_BYTES = 64;
/** The secret travels in a header. */
const SESSION_BYTES_MAX = 4_096;

/** DER prefix of a 32-byte Ed25519 private key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const signingKeyOf = (apiKey: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, derivedKey(apiKey, `${PURPOSE} ed25519`)]),
    format: 'der',
    type: 'pkcs8',
  });

/** The bytes to sign: the statement after its purpose. */
const signed = (statement: Buffer): Buffer => Buffer.concat([Buffer.from(`faircopy ${PURPOSE}\n`), statement]);

export interface ClientSecret {
  /** Hash of the API key, as in the database. */
  readonly keyHash: string;
  readonly expiresAtMs: number;
  /** Configures the session that it opens; null for the defaults. */
  readonly session: object | null;
  isSignedBy(publicKey: string): boolean;
}

export const isClientSecret = (text: string): boolean => text.startsWith(PREFIX);

const bytesOf = (session: object | null): Buffer => Buffer.from(session === null ? '' : JSON.stringify(session));

/** Whether a client secret can carry the session. */
export const fitsClientSecret = (session: object): boolean => bytesOf(session).length <= SESSION_BYTES_MAX;

export const signClientSecret = (apiKey: string, expiresAtMs: number, session: object | null = null): string => {
  const statement = Buffer.concat([Buffer.alloc(HASH_BYTES + END_BYTES), bytesOf(session)]);
  statement.write(hashOfKey(apiKey), 'hex');
  statement.writeBigUInt64BE(BigInt(expiresAtMs), HASH_BYTES);
  const signature = sign(null, signed(statement), signingKeyOf(apiKey));
  return PREFIX + Buffer.concat([statement, signature]).toString('base64url');
};

/** The public half of the key that signs client secrets. */
export const clientPublicKeyOf = (apiKey: string): string =>
  createPublicKey(signingKeyOf(apiKey)).export({ format: 'jwk' }).x!;

/** Undefined if it is malformed. */
const sessionOf = (bytes: Buffer): object | null | undefined => {
  if (bytes.length === 0) return null;
  try {
    const session: unknown = JSON.parse(bytes.toString());
    return typeof session === 'object' && session !== null ? session : undefined;
  } catch {
    return undefined;
  }
};

/** Null if it is malformed. `isSignedBy` verifies the signature. */
export const readClientSecret = (text: string): ClientSecret | null => {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  const sessionBytes = bytes.length - HASH_BYTES - END_BYTES - SIGNATURE_BYTES;
  if (!isClientSecret(text) || sessionBytes < 0 || sessionBytes > SESSION_BYTES_MAX) return null;
  const statement = bytes.subarray(0, -SIGNATURE_BYTES);
  const session = sessionOf(statement.subarray(HASH_BYTES + END_BYTES));
  if (session === undefined) return null;
  const signature = bytes.subarray(-SIGNATURE_BYTES);
  return {
    keyHash: statement.toString('hex', 0, HASH_BYTES),
    expiresAtMs: Number(statement.readBigUInt64BE(HASH_BYTES)),
    session,
    isSignedBy: (publicKey) => {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
      return verify(null, signed(statement), key, signature);
    },
  };
};
