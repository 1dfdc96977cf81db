// Session configurations carried by client secrets: the creator of a secret configures the sessions that it opens.
import { readClientSecret } from '../accounts/keys/client-secrets.ts';

export { fitsClientSecret } from '../accounts/keys/client-secrets.ts';

/** The configuration in an authenticated client secret; null (defaults) for an API key or a secret without one. */
export const sessionOfSecret = (presented: string): object | null => readClientSecret(presented)?.session ?? null;
