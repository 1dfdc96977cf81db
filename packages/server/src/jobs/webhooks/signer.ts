// Who signs what is sent to webhooks: compact JWS (RFC 7515) with Ed25519.

export interface Signer {
  /** The payload, as JSON.stringify writes it, as a compact JWS of this type; its header names the key. */
  sign(typ: string, payload: unknown): Promise<string>;
}

/** What the signature of a webhook says that it signs. */
export const WEBHOOK_TYPE = 'faircopy-webhook';

/** The signature without its payload, which is the body beside it (RFC 7515, appendix F). */
export const detached = (jws: string): string => {
  const [header, , signature] = jws.split('.');
  return `${header}..${signature}`;
};
