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

/** DER prefix of a 32-byte Ed25519 private key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const signingKeyOf = (apiKey: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, derivedKey(apiKey, `${PURPOSE} ed25519`)]),
    format: 'der',
    type: 'pkcs8',
  });

/** What is signed, with its purpose in front. */
const signed = (statement: Buffer): Buffer => Buffer.concat([Buffer.from(`faircopy ${PURPOSE}\n`), statement]);

export interface ClientSecret {
  /** Of the API key, as in the database. */
  readonly keyHash: string;
  readonly expiresAtMs: number;
  isSignedBy(publicKey: string): boolean;
}

export const isClientSecret = (text: string): boolean => text.startsWith(PREFIX);

export const signClientSecret = (apiKey: string, expiresAtMs: number): string => {
  const statement = Buffer.alloc(HASH_BYTES + END_BYTES);
  statement.write(hashOfKey(apiKey), 'hex');
  statement.writeBigUInt64BE(BigInt(expiresAtMs), HASH_BYTES);
  const signature = sign(null, signed(statement), signingKeyOf(apiKey));
  return PREFIX + Buffer.concat([statement, signature]).toString('base64url');
};

/** The public half of the key that signs client secrets. */
export const clientPublicKeyOf = (apiKey: string): string =>
  createPublicKey(signingKeyOf(apiKey)).export({ format: 'jwk' }).x!;

/** Null if it is malformed. Whether it is genuine shows `isSignedBy`. */
export const readClientSecret = (text: string): ClientSecret | null => {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  if (!isClientSecret(text) || bytes.length !== HASH_BYTES + END_BYTES + SIGNATURE_BYTES) return null;
  const statement = bytes.subarray(0, HASH_BYTES + END_BYTES);
  const signature = bytes.subarray(HASH_BYTES + END_BYTES);
  return {
    keyHash: statement.toString('hex', 0, HASH_BYTES),
    expiresAtMs: Number(statement.readBigUInt64BE(HASH_BYTES)),
    isSignedBy: (publicKey) => {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
      return verify(null, signed(statement), key, signature);
    },
  };
};
