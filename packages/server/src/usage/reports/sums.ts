// Sums usage per day, month, model, key, mode, status or account, from the daily sums.
import type { Prices } from '@faircopy/contract';
import { type RawBuilder, sql } from '#kysely';
import type { Storage } from '../../storage/open.ts';
import { conditions, playgroundKeyIds, type UsageFilter } from './filter.ts';
import { costOf } from './prices.ts';

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
  /** Of all requests. */
  readonly audioSeconds: number;
  /** Of those that failed. */
  readonly failedAudioSeconds: number;
  readonly billedSeconds: number;
  readonly outputTokenCount: number;
}

/** `cost` is null without prices. */
export interface PricedSum extends UsageSum {
  readonly cost: number | null;
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
      fn.sum<number>(eb.case().when('status', '=', 'success').then(0).else(eb.ref('audio_us')).end()).as('failed_us'),
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
    failedAudioSeconds: (row.failed_us as number) / 1e6,
    billedSeconds: (row.billed_ms as number) / 1e3,
    outputTokenCount: row.output_token_count as number,
  }));
};

/** Adds up sums; the result has the group of the first one. */
export const addSums = (sums: readonly PricedSum[]): PricedSum => {
  const total = (value: (sum: PricedSum) => number) => sums.reduce((sum, each) => sum + value(each), 0);
  return {
    group: sums[0]?.group ?? {},
    requests: total(({ requests }) => requests),
    errors: total(({ errors }) => errors),
    audioSeconds: total(({ audioSeconds }) => audioSeconds),
    failedAudioSeconds: total(({ failedAudioSeconds }) => failedAudioSeconds),
    billedSeconds: total(({ billedSeconds }) => billedSeconds),
    outputTokenCount: total(({ outputTokenCount }) => outputTokenCount),
    cost: sums.some(({ cost }) => cost !== null) ? total(({ cost }) => cost ?? 0) : null,
  };
};

/** Sums with their cost. Prices differ by model, so each group is summed by model first. */
export const priceUsage = async (storage: Storage, query: SumsQuery, prices: Prices | null): Promise<PricedSum[]> => {
  if (!prices) return (await sumUsage(storage, query)).map((sum) => ({ ...sum, cost: null }));
  const byModel = await sumUsage(storage, { ...query, by: [...new Set([...query.by, 'model' as const])] });
  const groups = new Map<string, PricedSum[]>();
  for (const sum of byModel) {
    const key = JSON.stringify(query.by.map((grouping) => sum.group[grouping]));
    const priced = { ...sum, cost: costOf(prices, sum.group.model ?? null, sum.billedSeconds) };
    groups.set(key, [...(groups.get(key) ?? []), priced]);
  }
  return [...groups.values()].map(addSums);
};
