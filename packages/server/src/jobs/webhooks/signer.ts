// Who signs what is sent to webhooks: compact JWS (RFC 7515) with Ed25519.
import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { derivedKey } from '../../platform/sealed.ts';

export interface Signer {
  /** The payload, as JSON.stringify writes it, as a compact JWS of this type; its header names the key. */
  sign(typ: string, payload: unknown): Promise<string>;
}

/** What the signature of a webhook says that it signs. */
export const WEBHOOK_TYPE = 'faircopy-webhook';

/** How an Ed25519 private key of 32 bytes is written (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/** A signer whose key is made from the server's secret, so that all nodes have the same. */
export const signerFrom = (secret: string): Signer & { readonly publicKey: JsonWebKey & { readonly kid: string } } => {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, derivedKey(secret, 'webhook signature')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  // The thumbprint of RFC 7638.
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return {
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: x!, kid, alg: 'EdDSA', use: 'sig' },
    sign: async (typ, payload) => {
      const content = `${encoded({ alg: 'EdDSA', typ, kid })}.${encoded(payload)}`;
      return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
    },
  };
};

/** The signature without its payload, which is the body beside it (RFC 7515, appendix F). */
export const detached = (jws: string): string => {
  const [header, , signature] = jws.split('.');
  return `${header}..${signature}`;
};
