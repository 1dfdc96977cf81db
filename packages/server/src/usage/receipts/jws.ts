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

/** The thumbprint of RFC 7638, which is the key's id everywhere. */
export const keyIdOf = ({ crv, kty, x }: Jwk): string => sha256OfJson({ crv, kty, x });

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The key travels along in the header: what it signed can be checked for damage before one knows whose key it is. */
export const signJws = (typ: string, payload: unknown, { jwk, privateKey }: SigningKey): string => {
  const { kty, crv, x } = jwk;
  const input = `${encoded({ alg: 'EdDSA', typ, kid: keyIdOf(jwk), jwk: { kty, crv, x } })}.${encoded(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
};

/** Why a JWS cannot be believed: one sentence without its end. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

export interface Opened {
  readonly keyId: string;
  readonly payload: unknown;
}

/** Which keys are trusted, by id. Undefined: whichever comes with the JWS. */
export type TrustedKeys = ReadonlyMap<string, Jwk> | undefined;

/** Opened keys of a long export, which has thousands of signatures by the same one. */
const opened = new Map<string, KeyObject>();
const KEYS_MAX = 100;

const publicKeyOf = (jwk: Jwk): KeyObject => {
  const known = opened.get(jwk.x);
  if (known) return known;
  if (opened.size >= KEYS_MAX) opened.clear();
  const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
  opened.set(jwk.x, key);
  return key;
};

const parsed = (part: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new NotSigned('it is not a JSON Web Signature');
  }
};

export const openJws = (typ: string, text: string, trusted: TrustedKeys): Opened => {
  const [header, payload, signature, ...more] = text.trim().split('.');
  if (!header || !payload || !signature || more.length > 0) throw new NotSigned('it is not a JSON Web Signature');
  const { alg, typ: foundTyp, kid, jwk } = parsed(header) as { alg?: string; typ?: string; kid?: string; jwk?: Jwk };
  // The algorithm is ours to choose, never the sender's.
  if (alg !== 'EdDSA' || kid === undefined) throw new NotSigned('it is not signed with Ed25519');
  if (foundTyp !== typ) throw new NotSigned(`it is signed as "${foundTyp}", not as "${typ}"`);
  const key = trusted === undefined ? jwk : trusted.get(kid);
  if (key === undefined) throw new NotSigned(`the key ${kid} is not one of the trusted keys`);
  if (key.kty !== 'OKP' || key.crv !== 'Ed25519' || keyIdOf(key) !== kid)
    throw new NotSigned('its key is not the one that it names');
  if (!isSignedBy(key, `${header}.${payload}`, signature)) throw new NotSigned('its signature is not valid');
  return { keyId: kid, payload: parsed(payload) };
};

const isSignedBy = (key: Jwk, input: string, signature: string): boolean => {
  try {
    return verify(null, Buffer.from(input), publicKeyOf(key), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
};
