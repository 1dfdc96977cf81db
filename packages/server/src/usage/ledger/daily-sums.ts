// The daily sums of the ledger, updated in the same transaction as its rows.

import type { UsageDailyTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';

export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** What a row adds to its day's sums (sign 1) or subtracts from them (sign -1). */
export const dailyShare = (row: UsageRow, sign: 1 | -1 = 1): UsageDailyTable => ({
  account_id: row.account_id,
  day: dayOf(row.created_at_ms),
  mode: row.mode,
  model: row.model ?? '',
  key_id: row.key_id ?? '',
  status: row.status,
  requests: sign,
  audio_us: sign * row.audio_us,
  billed_ms: sign * row.billed_ms,
  output_token_count: sign * row.output_token_count,
});

/** Adds up shares of the same day and kind. A fixed order prevents deadlocks between nodes. */
export const sumShares = (shares: readonly UsageDailyTable[]): UsageDailyTable[] => {
  const sums = new Map<string, UsageDailyTable>();
  for (const share of shares) {
    const key = [share.account_id, share.day, share.mode, share.model, share.key_id, share.status].join('\n');
    const sum = sums.get(key);
    if (!sum) sums.set(key, { ...share });
    else for (const figure of FIGURES) sum[figure] += share[figure];
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

export const FIGURES = ['requests', 'audio_us', 'billed_ms', 'output_token_count'] as const;

export const addToDailySums = async (trx: DatabaseTransaction, shares: readonly UsageDailyTable[]): Promise<void> => {
  if (shares.length === 0) return;
  await trx
    .insertInto('usage_daily')
    .values(sumShares(shares))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day', 'mode', 'model', 'key_id', 'status']).doUpdateSet(({ eb, ref }) => ({
        requests: eb('usage_daily.requests', '+', ref('excluded.requests')),
        audio_us: eb('usage_daily.audio_us', '+', ref('excluded.audio_us')),
        billed_ms: eb('usage_daily.billed_ms', '+', ref('excluded.billed_ms')),
        output_token_count: eb('usage_daily.output_token_count', '+', ref('excluded.output_token_count')),
      })),
    )
    .execute();
};
