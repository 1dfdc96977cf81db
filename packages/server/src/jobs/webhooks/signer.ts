// Who signs what is sent to webhooks: compact JWS (RFC 7515) with Ed25519.
import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { derivedKey } from '../../platform/sealed.ts';

export interface Signer {
  /** Under which the public key is to be found. */
  readonly kid: string;
  /** The payload as a compact JWS. */
  sign(payload: string): string;
}

/** How an Ed25519 private key of 32 bytes is written (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** A signer whose key is made from the server's secret, so that all nodes have the same. */
export const signerFrom = (secret: string): Signer & { readonly publicKey: JsonWebKey } => {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, derivedKey(secret, 'webhook signature')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const kid = createHash('sha256').update(x!).digest('base64url').slice(0, 16);
  return {
    kid,
    publicKey: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x: x! },
    sign: (payload) => {
      const content = `${encoded(JSON.stringify({ alg: 'EdDSA', kid }))}.${encoded(payload)}`;
      return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
    },
  };
};

/** The signature without its payload, which is the body beside it (RFC 7515, appendix F). */
export const detached = (jws: string): string => {
  const [header, , signature] = jws.split('.');
  return `${header}..${signature}`;
};
