// The account and key behind a request, with their limits.
import type { KeyRules, RedactionName, RefineLevel } from '@faircopy/contract';
import type { BudgetStatus } from '../usage/budgets/stops.ts';

export interface AccountLimits {
  readonly maxStreams: number;
  readonly maxDurationSeconds: number;
  /** Concurrent file requests. */
  readonly maxUploads: number;
  /** Seconds of audio that may wait for recognition. */
  readonly maxWaitingSeconds: number;
}

export interface Principal {
  readonly accountId: string;
  readonly accountName: string;
  readonly keyId: string;
  readonly limits: AccountLimits;
  /** The account's terms for recognition and refinement. */
  readonly vocabulary: readonly string[];
  /** How often people took a term back; those never taken back are absent. */
  readonly falseAlarms?: ReadonlyMap<string, number>;
  /** The default refinement level; null: full refinement. */
  readonly refinement: RefineLevel | null;
  /** What the key may do. */
  readonly rules: KeyRules;
  /** What the account always hides. Key and request can add to it, not take away. */
  readonly redaction: readonly RedactionName[];
  /** The languages that the account is limited to; none: any. */
  readonly languages: readonly string[];
  /** Null if no budget can refuse its requests. */
  readonly budget: BudgetStatus | null;
}

/** A change to a key while a stream uses it. */
export type AccessChange = { readonly kind: 'revoked' } | { readonly kind: 'limits'; readonly maxStreams: number };

export interface Authenticator {
  /** Null if the key is malformed, unknown, expired or revoked. A malformed key needs no look-up. */
  authenticate(presentedKey: string): Promise<Principal | null>;
  /** The same for a client secret, which is valid for as long as its API key at most. */
  authenticateClientSecret(secret: string): Promise<Principal | null>;
  /** Creates a client secret for a valid key. */
  createClientSecret(apiKey: string, expiresAtMs: number, session: object | null): Promise<string>;
  /** Reports changes to the key from any node within a second. Returns the function that ends the watch. */
  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void;
}
