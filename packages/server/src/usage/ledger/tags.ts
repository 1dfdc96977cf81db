// Tags of requests: which rows have them, and their daily sums.
import type { UsageRow, UsageTagDailyTable } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { addedFigures, dailyShare, sumShares } from './daily-sums.ts';

export const tagsOf = ({ tags }: Pick<UsageRow, 'tags'>): readonly string[] =>
  tags === null ? [] : (JSON.parse(tags) as string[]);

const KIND = [
  'account_id',
  'tag',
  'day',
  'mode',
  'model',
  'key_id',
  'status',
] as const satisfies (keyof UsageTagDailyTable)[];

const taggedShares = (rows: readonly UsageRow[], sign: 1 | -1): UsageTagDailyTable[] =>
  sumShares(
    rows.flatMap((row) => tagsOf(row).map((tag) => ({ ...dailyShare(row, sign), tag }))),
    KIND,
  );

const addToTagSums = async (trx: DatabaseTransaction, shares: readonly UsageTagDailyTable[]): Promise<void> => {
  await trx
    .insertInto('usage_tag_daily')
    .values(shares)
    .onConflict((conflict) => conflict.columns(KIND).doUpdateSet(addedFigures('usage_tag_daily')))
    .execute();
};

/** Call it in the transaction that inserts the rows. */
export const addTags = async (trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<void> => {
  const tagged = rows.flatMap((row) =>
    tagsOf(row).map((tag) => ({
      account_id: row.account_id,
      tag,
      created_at_ms: row.created_at_ms,
      request_id: row.request_id,
    })),
  );
  if (tagged.length === 0) return;
  await trx.insertInto('usage_tags').values(tagged).execute();
  await addToTagSums(trx, taggedShares(rows, 1));
};

/** Call it in the transaction that withdraws the rows. */
export const withdrawTags = async (trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<void> => {
  const shares = taggedShares(rows, -1);
  if (shares.length === 0) return;
  await trx
    .deleteFrom('usage_tags')
    .where(
      'account_id',
      'in',
      rows.map(({ account_id }) => account_id),
    )
    .where(
      'request_id',
      'in',
      rows.map(({ request_id }) => request_id),
    )
    .execute();
  await addToTagSums(trx, shares);
};
