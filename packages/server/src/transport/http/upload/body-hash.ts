// The hash of a request's body, by which a retry is known: of what it means, not of how its parts are divided.
import { createHash, type Hash } from 'node:crypto';
import type { FormFields } from './upload-form.ts';

export class FormHash {
  readonly #file: Hash = createHash('sha256');

  write(bytes: Uint8Array): void {
    this.#file.update(bytes);
  }

  /** Fields in any order, the file, and the address they went to. */
  digest(url: string, fields: FormFields): string {
    const parts = [url.split('?', 1)[0], fields.sorted(), this.#file.digest('hex')];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }
}

/** Of a body that is the file itself, and of the address with its query. */
export const plainBodyHash = (url: string, kind: string, sha256: string): string =>
  createHash('sha256')
    .update(JSON.stringify([url, kind, sha256]))
    .digest('hex');
