// The daily sums of the ledger, updated in the same transaction as its rows.
import { type RawBuilder, sql } from '#kysely';
import type { UsageDailyTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { periodOf } from '../budgets/period.ts';

/** What a row adds to its day's sums (sign 1) or subtracts from them (sign -1). */
export const dailyShare = (row: UsageRow, sign: 1 | -1 = 1): UsageDailyTable => ({
  account_id: row.account_id,
  day: periodOf('day', row.created_at_ms),
  mode: row.mode,
  model: row.model ?? '',
  key_id: row.key_id ?? '',
  status: row.status,
  requests: sign,
  audio_us: sign * row.audio_us,
  billed_ms: sign * row.billed_ms,
  output_token_count: sign * row.output_token_count,
});

/** What the shares of one sum have in common: the primary key of the table. */
const KIND = ['account_id', 'day', 'mode', 'model', 'key_id', 'status'] as const satisfies (keyof UsageDailyTable)[];

/** Adds up shares of the same kind. A fixed order prevents deadlocks between nodes. */
export const sumShares = <Share extends UsageDailyTable>(
  shares: readonly Share[],
  kind: readonly (keyof Share)[] = KIND,
): Share[] => {
  const sums = new Map<string, Share>();
  for (const share of shares) {
    const key = kind.map((column) => share[column]).join('\n');
    const sum = sums.get(key);
    if (!sum) sums.set(key, { ...share });
    else for (const figure of FIGURES) sum[figure] += share[figure];
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

const FIGURES = ['requests', 'audio_us', 'billed_ms', 'output_token_count'] as const;

/** The columns of an existing sum after an insert that conflicts with it. */
export const addedFigures = (table: 'usage_daily' | 'usage_tag_daily') =>
  Object.fromEntries(
    FIGURES.map((figure) => [figure, sql`${sql.ref(`${table}.${figure}`)} + ${sql.ref(`excluded.${figure}`)}`]),
  ) as Record<(typeof FIGURES)[number], RawBuilder<number>>;

export const addToDailySums = async (trx: DatabaseTransaction, shares: readonly UsageDailyTable[]): Promise<void> => {
  if (shares.length === 0) return;
  await trx
    .insertInto('usage_daily')
    .values(sumShares(shares))
    .onConflict((conflict) => conflict.columns(KIND).doUpdateSet(addedFigures('usage_daily')))
    .execute();
};
