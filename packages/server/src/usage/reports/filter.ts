// Filters for usage records and sums.
import { type ModelId, PLAYGROUND_KEYS, type UsageStatus } from '@faircopy/contract';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import type { Database } from '../../storage/schema.ts';

export interface UsageFilter {
  /** Absent: all accounts. */
  readonly accountId?: string | undefined;
  readonly mode?: 'file' | 'stream' | undefined;
  readonly model?: ModelId | undefined;
  /** `errors`: everything except `success`. */
  readonly status?: UsageStatus | 'errors' | undefined;
  /** A key, or PLAYGROUND_KEYS for all keys of the playground. */
  readonly keyId?: string | undefined;
  /** Requests with this tag. */
  readonly tag?: string | undefined;
}

type Condition = readonly [
  column: 'account_id' | 'mode' | 'model' | 'key_id' | 'status',
  operator: '=' | '!=',
  value: string,
];

/** Conditions that work on both the records and the daily sums. */
export const conditions = (filter: UsageFilter): Condition[] => {
  const found: Condition[] = [];
  if (filter.accountId !== undefined) found.push(['account_id', '=', filter.accountId]);
  if (filter.mode !== undefined) found.push(['mode', '=', filter.mode]);
  if (filter.model !== undefined) found.push(['model', '=', filter.model]);
  if (filter.keyId !== undefined && filter.keyId !== PLAYGROUND_KEYS) found.push(['key_id', '=', filter.keyId]);
  if (filter.status === 'errors') found.push(['status', '!=', 'success']);
  else if (filter.status !== undefined) found.push(['status', '=', filter.status]);
  return found;
};

/** A subquery for the ids of the playground's keys; null unless the filter asks for them. */
export const playgroundKeyIds = (db: Database, { keyId, accountId }: UsageFilter) => {
  if (keyId !== PLAYGROUND_KEYS) return null;
  const ids = db.selectFrom('api_keys').select('api_keys.id').where('api_keys.created_by', '=', PLAYGROUND_CREATOR);
  return accountId === undefined ? ids : ids.where('api_keys.account_id', '=', accountId);
};
