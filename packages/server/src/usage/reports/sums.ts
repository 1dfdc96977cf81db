// Sums usage per day, month, model, key, mode, status or account, from the daily sums.
import { type RawBuilder, sql } from 'kysely';
import type { Storage } from '../../storage/open.ts';
import { conditions, playgroundKeyIds, type UsageFilter } from './filter.ts';

export type Grouping = 'day' | 'month' | 'model' | 'key' | 'mode' | 'status' | 'account';

export interface SumsQuery extends UsageFilter {
  readonly by: readonly Grouping[];
  /** Inclusive, as YYYY-MM-DD in UTC. */
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
}

export interface UsageSum {
  /** One value per requested grouping; null for records without a model or key. */
  readonly group: Readonly<Partial<Record<Grouping, string | null>>>;
  readonly requests: number;
  readonly errors: number;
  readonly audioSeconds: number;
  readonly billedSeconds: number;
  readonly outputTokenCount: number;
}

const GROUPS: Readonly<Record<Grouping, RawBuilder<string>>> = {
  day: sql.ref('day'),
  month: sql`substr(day, 1, 7)`,
  model: sql.ref('model'),
  key: sql.ref('key_id'),
  mode: sql.ref('mode'),
  status: sql.ref('status'),
  account: sql.ref('account_id'),
};

/** Sorted by the groupings. Groups without requests are absent. */
export const sumUsage = async (storage: Storage, query: SumsQuery): Promise<UsageSum[]> => {
  let select = storage.report
    .selectFrom((query.tag === undefined ? 'usage_daily' : 'usage_tag_daily') as 'usage_daily')
    .select(({ fn, eb }) => [
      ...query.by.map((grouping) => GROUPS[grouping].as(`by_${grouping}`)),
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>(eb.case().when('status', '=', 'success').then(0).else(eb.ref('requests')).end()).as('errors'),
      fn.sum<number>('audio_us').as('audio_us'),
      fn.sum<number>('billed_ms').as('billed_ms'),
      fn.sum<number>('output_token_count').as('output_token_count'),
    ])
    .having(({ fn }) => fn.sum('requests'), '!=', 0);
  for (const [column, operator, value] of conditions(query)) select = select.where(column, operator, value);
  if (query.tag !== undefined) select = select.where(sql.ref<string>('tag'), '=', query.tag);
  if (query.fromDay !== undefined) select = select.where('day', '>=', query.fromDay);
  if (query.toDay !== undefined) select = select.where('day', '<=', query.toDay);
  const playground = playgroundKeyIds(storage.report, query);
  if (playground) select = select.where('key_id', 'in', playground);
  for (const grouping of query.by) select = select.groupBy(GROUPS[grouping]).orderBy(GROUPS[grouping]);
  const rows: readonly Record<string, unknown>[] = await select.execute();
  return rows.map((row) => ({
    group: Object.fromEntries(query.by.map((grouping) => [grouping, (row[`by_${grouping}`] as string) || null])),
    requests: row.requests as number,
    errors: row.errors as number,
    audioSeconds: (row.audio_us as number) / 1e6,
    billedSeconds: (row.billed_ms as number) / 1e3,
    outputTokenCount: row.output_token_count as number,
  }));
};
