// Sessions that client secrets carry: whoever creates a secret configures what it opens.
import { readClientSecret } from '../accounts/keys/client-secrets.ts';

export { fitsClientSecret } from '../accounts/keys/client-secrets.ts';

/** Of an authenticated key or client secret; null for the defaults. */
export const sessionOfSecret = (presented: string): object | null => readClientSecret(presented)?.session ?? null;
