// Sealed bytes: AES-256-GCM with a key that HKDF derives from a secret and a new salt for every seal.
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const VERSION = 1;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';

/** The bytes were altered or truncated, or sealed with another secret or purpose. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** A separate key for each purpose and salt. */
export const derivedKey = (secret: string | Uint8Array, purpose: string, salt: string | Uint8Array = ''): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, `faircopy ${purpose}`, KEY_BYTES));

/** `purpose` states what the bytes are and whose. They can be opened only with the same purpose. */
export const seal = (secret: string | Uint8Array, purpose: string, plain: Uint8Array): Buffer => {
  const salt = randomBytes(SALT_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, derivedKey(secret, purpose, salt), iv).setAAD(Buffer.from(purpose));
  return Buffer.concat([Buffer.of(VERSION), salt, iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

export const unseal = (secret: string | Uint8Array, purpose: string, sealed: Uint8Array): Buffer => {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  if (bytes.length < 1 + SALT_BYTES + IV_BYTES + TAG_BYTES || bytes[0] !== VERSION)
    throw new SealBroken('the bytes were not sealed by this program');
  const salt = bytes.subarray(1, 1 + SALT_BYTES);
  const iv = bytes.subarray(1 + SALT_BYTES, 1 + SALT_BYTES + IV_BYTES);
  const decipher = createDecipheriv(CIPHER, derivedKey(secret, purpose, salt), iv)
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const start = 1 + SALT_BYTES + IV_BYTES;
    return Buffer.concat([decipher.update(bytes.subarray(start, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealBroken('the sealed bytes were altered, or the secret or purpose differs');
  }
};

/** DER prefix of a 32-byte X25519 private key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex');

const privateKeyOf = (secret: string, purpose: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, derivedKey(secret, `${purpose} x25519`)]),
    format: 'der',
    type: 'pkcs8',
  });

const rawPublicKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
const publicKeyFrom = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(raw).toString('base64url') }, format: 'jwk' });

/** The public key that others use to seal bytes for the holder of the secret. */
export const publicKeyOf = (secret: string, purpose: string): Buffer =>
  rawPublicKey(createPublicKey(privateKeyOf(secret, purpose)));

/** Seals bytes that only the holder of the public key's secret can open; the sealing side cannot. */
export const sealFor = (publicKey: Uint8Array, purpose: string, plain: Uint8Array): Buffer => {
  const ephemeral = generateKeyPairSync('x25519');
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: publicKeyFrom(publicKey) });
  return Buffer.concat([rawPublicKey(ephemeral.publicKey), seal(shared, purpose, plain)]);
};

export const unsealWith = (secret: string, purpose: string, sealed: Uint8Array): Buffer => {
  if (sealed.length < PUBLIC_KEY_BYTES) throw new SealBroken('the bytes were not sealed by this program');
  const shared = diffieHellman({
    privateKey: privateKeyOf(secret, purpose),
    publicKey: publicKeyFrom(sealed.subarray(0, PUBLIC_KEY_BYTES)),
  });
  return unseal(shared, purpose, sealed.subarray(PUBLIC_KEY_BYTES));
};
