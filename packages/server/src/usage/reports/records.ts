// Lists usage records, newest first, with keyset pagination.
import type { UsageRecord } from '@faircopy/contract';
import { type SqlBool, sql } from '#kysely';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { UsageRow } from '../../storage/schema/usage.ts';
import { tagsOf } from '../ledger/tags.ts';
import { conditions, playgroundKeyIds, type UsageFilter } from './filter.ts';

export interface UsageQuery extends UsageFilter {
  /** Required, because the indexes start with the account. */
  readonly accountId: string;
  /** Inclusive. */
  readonly sinceMs?: number | undefined;
  /** Exclusive. */
  readonly untilMs?: number | undefined;
}

export interface UsagePage {
  readonly records: UsageRecord[];
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

const PAGE_RECORDS_MAX = 1_000;

export const listUsage = async (
  storage: Storage,
  query: UsageQuery,
  { limit, after }: { readonly limit: number; readonly after?: string | null | undefined },
): Promise<UsagePage> => {
  const pageMax = Math.min(Math.max(1, Math.trunc(limit)), PAGE_RECORDS_MAX);
  let select = storage.report
    .selectFrom('usage_records')
    .leftJoin('api_keys', 'api_keys.id', 'usage_records.key_id')
    .selectAll('usage_records')
    .select('api_keys.name as key_name')
    // An interrupted archiving leaves rows that are archived.
    .where(
      sql<SqlBool>`coalesce(usage_records.chain_seq, 0) not between 1 and
        coalesce((select archived_seq from usage_chains where account_id = ${query.accountId}), 0)`,
    )
    // The extra row shows whether there is a next page.
    .limit(pageMax + 1);
  // Sort by the columns of an index, so that a page of a rare tag reads only rows with that tag.
  const ordering = query.tag === undefined ? 'usage_records' : 'usage_tags';
  if (query.tag !== undefined)
    select = select
      .innerJoin('usage_tags', 'usage_tags.request_id', 'usage_records.request_id')
      .where('usage_tags.account_id', '=', query.accountId)
      .where('usage_tags.tag', '=', query.tag) as unknown as typeof select;
  select = select
    .orderBy(sql.ref(`${ordering}.created_at_ms`), 'desc')
    .orderBy(sql.ref(`${ordering}.request_id`), 'desc');
  for (const [column, operator, value] of conditions(query))
    select = select.where(`usage_records.${column}`, operator, value);
  const playground = playgroundKeyIds(storage.report, query);
  if (playground) select = select.where('usage_records.key_id', 'in', playground);
  if (query.sinceMs !== undefined) select = select.where('usage_records.created_at_ms', '>=', query.sinceMs);
  if (query.untilMs !== undefined) select = select.where('usage_records.created_at_ms', '<', query.untilMs);
  if (after) {
    const cursor = parseCursor(after);
    select = select.where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('usage_records.created_at_ms', 'usage_records.request_id'),
        '<',
        tuple(cursor.createdAtMs, cursor.requestId),
      ),
    );
  }
  const rows = await select.execute();
  const last = rows.length > pageMax ? rows[pageMax - 1] : undefined;
  return {
    records: rows.slice(0, pageMax).map((row) => toRecord(row, row.key_name)),
    next: last ? `${last.created_at_ms}.${last.request_id}` : null,
  };
};

/** All records of a query. Holds two pages in memory: the database reads the next while the caller has this one. */
export async function* eachUsage(storage: Storage, query: UsageQuery): AsyncGenerator<UsageRecord, void, undefined> {
  const pageAfter = (after: string | null): Promise<UsagePage> => {
    const page = listUsage(storage, query, { limit: PAGE_RECORDS_MAX, after });
    // Prevents an unhandled rejection if the caller stops early; otherwise, the await below throws.
    page.catch(() => undefined);
    return page;
  };
  for (let reading: Promise<UsagePage> | undefined = pageAfter(null); reading; ) {
    const { records, next }: UsagePage = await reading;
    reading = next === null ? undefined : pageAfter(next);
    yield* records;
  }
}

const parseCursor = (cursor: string): { createdAtMs: number; requestId: string } => {
  const [, createdAtMs, requestId] = /^(\d{1,15})\.([0-9A-Z]{26})$/.exec(cursor) ?? [];
  if (createdAtMs === undefined || requestId === undefined)
    throw new Fault('INVALID_REQUEST', { message: 'The cursor is invalid.' });
  return { createdAtMs: Number(createdAtMs), requestId };
};

const toRecord = (row: UsageRow, keyName: string | null): UsageRecord => ({
  request_id: row.request_id,
  mode: row.mode as UsageRecord['mode'],
  model: row.model as UsageRecord['model'],
  status: row.status as UsageRecord['status'],
  audio_seconds: row.audio_us / 1e6,
  billed_audio_seconds: row.billed_ms / 1e3,
  output_token_count: row.output_token_count,
  detected_language: row.detected_language,
  key_id: row.key_id,
  key_name: keyName,
  receive_ms: row.receive_ms,
  recognition_ms: row.recognition_ms,
  refinement_ms: row.refinement_ms,
  refinement_fallback: row.refinement_fallback,
  queue_ms: row.queue_ms,
  error_message: row.error_message,
  effort: row.effort as UsageRecord['effort'],
  tags: [...tagsOf(row)],
  created_at: new Date(row.created_at_ms).toISOString(),
});
