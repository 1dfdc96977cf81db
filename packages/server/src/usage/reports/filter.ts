// Which records of the ledger a question is about.
import { type ModelId, PLAYGROUND_KEYS, type UsageStatus } from '@faircopy/contract';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import type { Database } from '../../storage/schema.ts';

export interface UsageFilter {
  /** Absent: all accounts, for operators' sums. */
  readonly accountId?: string | undefined;
  readonly mode?: 'file' | 'stream' | undefined;
  readonly model?: ModelId | undefined;
  /** `errors` is everything but `success`. */
  readonly status?: UsageStatus | 'errors' | undefined;
  /** A key, or PLAYGROUND_KEYS for all that the playground made. */
  readonly keyId?: string | undefined;
}

type Condition = readonly [
  column: 'account_id' | 'mode' | 'model' | 'key_id' | 'status',
  operator: '=' | '!=',
  value: string,
];

/** The filter as conditions that both the rows and their daily sums understand. */
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

/** Ids of the keys that the playground made in that account, as a query; null when the filter asks for others. */
export const playgroundKeyIds = (db: Database, { keyId, accountId }: UsageFilter) => {
  if (keyId !== PLAYGROUND_KEYS) return null;
  const ids = db.selectFrom('api_keys').select('api_keys.id').where('api_keys.created_by', '=', PLAYGROUND_CREATOR);
  return accountId === undefined ? ids : ids.where('api_keys.account_id', '=', accountId);
};
