// JSON Web Signatures with Ed25519 (RFC 7515, RFC 8037), in compact form.
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { sha256OfJson } from '../../storage/usage-hash.ts';

export interface Jwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

export interface SigningKey {
  readonly jwk: Jwk;
  readonly privateKey: KeyObject;
}

/** The key's id is its thumbprint (RFC 7638). */
export const keyIdOf = ({ crv, kty, x }: Jwk): string => sha256OfJson({ crv, kty, x });

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The header carries the public key, so that a document can be checked for damage without a key set. */
export const signJws = (typ: string, payload: unknown, { jwk, privateKey }: SigningKey): string => {
  const { kty, crv, x } = jwk;
  const input = `${encoded({ alg: 'EdDSA', typ, kid: keyIdOf(jwk), jwk: { kty, crv, x } })}.${encoded(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
};

/** Why a JWS is invalid. The message starts in lower case and has no full stop. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
}

export interface VerifiedJws {
  readonly keyId: string;
  readonly payload: unknown;
}

/** The trusted keys by id. Undefined: trust the key in the JWS header. */
export type TrustedKeys = ReadonlyMap<string, Jwk> | undefined;

/** Cache of parsed keys: a long export has thousands of signatures by the same key. */
const parsedKeys = new Map<string, KeyObject>();
const KEYS_MAX = 100;

const publicKeyOf = (jwk: Jwk): KeyObject => {
  const known = parsedKeys.get(jwk.x);
  if (known) return known;
  if (parsedKeys.size >= KEYS_MAX) parsedKeys.clear();
  const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
  parsedKeys.set(jwk.x, key);
  return key;
};

const parsePart = (part: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new InvalidSignature('it is not a JSON Web Signature');
  }
};

export const verifyJws = (typ: string, text: string, trusted: TrustedKeys): VerifiedJws => {
  const [header, payload, signature, ...more] = text.trim().split('.');
  if (!header || !payload || !signature || more.length > 0)
    throw new InvalidSignature('it is not a JSON Web Signature');
  const { alg, typ: foundTyp, kid, jwk } = parsePart(header) as { alg?: string; typ?: string; kid?: string; jwk?: Jwk };
  // Never accept another algorithm that the header names.
  if (alg !== 'EdDSA' || kid === undefined) throw new InvalidSignature('it is not signed with Ed25519');
  if (foundTyp !== typ) throw new InvalidSignature(`it is signed as "${foundTyp}", not as "${typ}"`);
  const key = trusted === undefined ? jwk : trusted.get(kid);
  if (key === undefined) throw new InvalidSignature(`the key ${kid} is not one of the trusted keys`);
  if (key.kty !== 'OKP' || key.crv !== 'Ed25519' || keyIdOf(key) !== kid)
    throw new InvalidSignature('its key does not match its key id');
  if (!isSignedBy(key, `${header}.${payload}`, signature)) throw new InvalidSignature('its signature is not valid');
  return { keyId: kid, payload: parsePart(payload) };
};

const isSignedBy = (key: Jwk, input: string, signature: string): boolean => {
  try {
    return verify(null, Buffer.from(input), publicKeyOf(key), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
};
