// Who a request is from, and what that account may do.
import type { RefineLevel } from '@faircopy/contract';
import type { BudgetStatus } from '../usage/budgets/stops.ts';

export interface AccountLimits {
  readonly maxStreams: number;
  readonly maxDurationSeconds: number;
  /** Files it may be sending or waiting for at the same time. */
  readonly maxUploads: number;
  /** Audio that may wait for recognition. */
  readonly maxWaitingSeconds: number;
}

export interface Principal {
  readonly accountId: string;
  readonly accountName: string;
  readonly keyId: string;
  readonly limits: AccountLimits;
  /** The account's own terms, for recognition and refinement. */
  readonly vocabulary: readonly string[];
  /** How much of the refinement its requests get that do not say; null: all of it. */
  readonly refinement: RefineLevel | null;
  /** Null when the account and the key have no budget that stops them. */
  readonly budget: BudgetStatus | null;
}

/** What can happen to a key while a stream uses it. */
export type AccessChange = { readonly kind: 'revoked' } | { readonly kind: 'limits'; readonly maxStreams: number };

/** Turns a presented key into a principal. */
export interface Authenticator {
  /** Null when the key is malformed, unknown, expired or revoked. A malformed key costs no look-up. */
  authenticate(presentedKey: string): Promise<Principal | null>;
  /** Tells of changes to the key, on whichever node they were made, within a second. Returns what ends the watch. */
  watch(principal: Principal, onChange: (change: AccessChange) => void): () => void;
}
