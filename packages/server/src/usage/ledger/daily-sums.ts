// The daily sums of the ledger, kept by the same transaction as its rows so that the two can never disagree.

import type { UsageDailyTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';

export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** What a row adds to its day (sign 1), or takes back from it (sign -1). */
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

/** Shares of the same day and kind summed, in a fixed order so that two nodes never wait for each other in a circle. */
export const summed = (shares: readonly UsageDailyTable[]): UsageDailyTable[] => {
  const sums = new Map<string, UsageDailyTable>();
  for (const share of shares) {
    const place = [share.account_id, share.day, share.mode, share.model, share.key_id, share.status].join('\n');
    const sum = sums.get(place);
    if (!sum) sums.set(place, { ...share });
    else for (const figure of FIGURES) sum[figure] += share[figure];
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

export const FIGURES = ['requests', 'audio_us', 'billed_ms', 'output_token_count'] as const;

export const addToDaily = async (trx: DatabaseTransaction, shares: readonly UsageDailyTable[]): Promise<void> => {
  if (shares.length === 0) return;
  await trx
    .insertInto('usage_daily')
    .values(summed(shares))
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
