// Hashes a request's body to recognise retries; a form is hashed by its content, not by its multipart encoding.
import { createHash, type Hash } from 'node:crypto';
import type { RawFields } from './upload-form.ts';

export class FormHash {
  readonly #file: Hash = createHash('sha256');

  write(bytes: Uint8Array): void {
    this.#file.update(bytes);
  }

  /** Covers the path, the fields in any order and the file. */
  digest(url: string, fields: RawFields): string {
    const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = [url.split('?', 1)[0], sorted, this.#file.digest('hex')];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }
}

/** The hash of a body that is the file itself. Covers the path with its query. */
export const plainBodyHash = (url: string, kind: string, sha256: string): string =>
  createHash('sha256')
    .update(JSON.stringify([url, kind, sha256]))
    .digest('hex');
