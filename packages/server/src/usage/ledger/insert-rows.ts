// Inserts ledger rows with hand-written SQL, because this is the most frequent write.
import { CompiledQuery } from '#kysely';
import type { Engine } from '../../storage/engine.ts';
import type { UsageRecordsTable } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';

const COLUMNS = {
  request_id: 'text',
  account_id: 'text',
  key_id: 'text',
  mode: 'text',
  model: 'text',
  status: 'text',
  audio_us: 'bigint',
  billed_ms: 'bigint',
  output_token_count: 'bigint',
  detected_language: 'text',
  receive_ms: 'double precision',
  recognition_ms: 'double precision',
  refinement_ms: 'double precision',
  refinement_fallback: 'text',
  queue_ms: 'double precision',
  error_message: 'text',
  effort: 'text',
  tags: 'text',
  created_at_ms: 'bigint',
  chain_seq: 'bigint',
  chain_hash: 'text',
  replaces_seq: 'bigint',
} as const satisfies Record<keyof UsageRecordsTable, string>;

const NAMES = Object.keys(COLUMNS) as (keyof UsageRecordsTable)[];
const valuesOf = (row: UsageRecordsTable) => NAMES.map((name) => row[name]);

/** `or ignore` spares SQLite a statement journal. */
const forSqlite = (rows: readonly UsageRecordsTable[]): CompiledQuery => {
  const places = `(${NAMES.map(() => '?').join(', ')})`;
  const text = `insert or ignore into usage_records (${NAMES.join(', ')}) values ${rows.map(() => places).join(', ')}`;
  return CompiledQuery.raw(text, rows.flatMap(valuesOf));
};

/** One JSON parameter is faster on PostgreSQL than two thousand values. */
const FROM_JSON = `insert into usage_records (${NAMES.join(', ')})
  select ${NAMES.map((name, at) => `cast(value ->> ${at} as ${COLUMNS[name]})`).join(', ')}
  from json_array_elements(cast($1 as json)) as item(value) on conflict do nothing`;
const forPostgres = (rows: readonly UsageRecordsTable[]): CompiledQuery =>
  CompiledQuery.raw(FROM_JSON, [JSON.stringify(rows.map(valuesOf))]);

/** Returns the number of inserted rows. Skips rows whose request or link already exists. */
export const insertRows = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly UsageRecordsTable[],
): Promise<number> => {
  const { numAffectedRows } = await trx.executeQuery(engine === 'sqlite' ? forSqlite(rows) : forPostgres(rows));
  return Number(numAffectedRows);
};
