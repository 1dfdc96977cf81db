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

/** The smallest and largest value, for all accounts and for one. */
export const LIMIT_RANGES = {
  maxStreams: [0, 100_000],
  maxDurationSeconds: [1, 24 * 60 * 60],
  maxUploads: [0, 100_000],
  maxWaitingSeconds: [1, 7 * 24 * 60 * 60],
} as const satisfies Readonly<Record<keyof AccountLimits, readonly [min: number, max: number]>>;

export interface Principal {
  readonly accountId: string;
  readonly accountName: string;
  readonly keyId: string;
  readonly limits: AccountLimits;
  /** The account's terms for recognition and refinement. */
  readonly vocabulary: readonly string[];
  /** How often people reverted a term; terms that were never reverted are absent. */
  readonly falseAlarms?: ReadonlyMap<string, number>;
  /** The default refinement level; null: full refinement. */
  readonly refinement: RefineLevel | null;
  /** What the key may do. */
  readonly rules: KeyRules;
  /** Redactions of the account. The key and the request can only add to them. */
  readonly redaction: readonly RedactionName[];
  /** Languages that the account is limited to; empty: any. */
  readonly languages: readonly string[];
  /** Null if no budget can refuse its requests. */
  readonly budget: BudgetStatus | null;
}

/** A change to a key while a stream uses it. */
export type AccessChange = { readonly kind: 'revoked' } | { readonly kind: 'limits'; readonly maxStreams: number };

export interface Authenticator {
  /** Null if the key is malformed, unknown, expired or revoked. A malformed key needs no look-up. */
  authenticate(presentedKey: string): Promise<Principal | null>;
  /** The same for a client secret, which never outlives its API key. */
  authenticateClientSecret(secret: string): Promise<Principal | null>;
  /** Creates a client secret for a valid key. */
  createClientSecret(apiKey: string, expiresAtMs: number, session: object | null): Promise<string>;
  /** Reports changes to the key from any node within a second. Returns the function that ends the watch. */
  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void;
}
