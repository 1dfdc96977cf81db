// Which records of the ledger a question is about.
import type { ModelId, UsageStatus } from '@faircopy/contract';

export interface UsageFilter {
  /** Absent: all accounts, for operators' sums. */
  readonly accountId?: string | undefined;
  readonly mode?: 'file' | 'stream' | undefined;
  readonly model?: ModelId | undefined;
  /** `errors` is everything but `success`. */
  readonly status?: UsageStatus | 'errors' | undefined;
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
  if (filter.keyId !== undefined) found.push(['key_id', '=', filter.keyId]);
  if (filter.status === 'errors') found.push(['status', '!=', 'success']);
  else if (filter.status !== undefined) found.push(['status', '=', filter.status]);
  return found;
};
