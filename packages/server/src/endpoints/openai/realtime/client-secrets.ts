// Short-lived keys for browsers: an API key sealed together with its end, so that limits and revocation hold as ever.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'ek_';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const END_BYTES = 8;

export class ClientSecrets {
  readonly #key: Buffer;

  /** The secret is that of the server, the same on every node. */
  constructor(serverSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'client secrets', 32));
  }

  seal(apiKey: string, expiresAtMs: number): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    const end = Buffer.alloc(END_BYTES);
    end.writeBigUInt64BE(BigInt(expiresAtMs));
    const sealed = Buffer.concat([cipher.update(end), cipher.update(apiKey, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The API key behind a client secret, or the text as it is when it is none. Null when it is forged or has ended. */
  open(presented: string, nowMs: number): string | null {
    if (!presented.startsWith(PREFIX)) return presented;
    const bytes = Buffer.from(presented.slice(PREFIX.length), 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES + END_BYTES) return null;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      const expiresAtMs = Number(opened.readBigUInt64BE(0));
      return expiresAtMs > nowMs ? opened.toString('utf8', END_BYTES) : null;
    } catch {
      return null;
    }
  }
}
