// The signature of webhooks: a detached JWS (RFC 7515) with Ed25519.

export interface Signer {
  /** Returns a compact JWS of JSON.stringify(payload). Its header names the key. */
  sign(typ: string, payload: unknown): Promise<string>;
}

/** The `typ` header of webhook signatures. */
export const WEBHOOK_TYPE = 'faircopy-webhook';

/** Removes the payload, which is the request body (RFC 7515, appendix F). */
export const detached = (jws: string): string => {
  const [header, , signature] = jws.split('.');
  return `${header}..${signature}`;
};
