// Inserts rows of the ledger as one JSON text: a statement that never changes, instead of two thousand parameters.
import { sql } from 'kysely';
import type { Engine } from '../storage/engine.ts';
import type { DatabaseTransaction, UsageRecordsTable } from '../storage/schema.ts';

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
  created_at_ms: 'bigint',
  chain_seq: 'bigint',
  chain_hash: 'text',
  replaces_seq: 'bigint',
} as const satisfies Record<keyof UsageRecordsTable, string>;

const NAMES = Object.keys(COLUMNS) as (keyof UsageRecordsTable)[];
const values = {
  sqlite: NAMES.map((_, at) => `value ->> ${at}`).join(', '),
  postgres: NAMES.map((name, at) => `cast(value ->> ${at} as ${COLUMNS[name]})`).join(', '),
};
const source = {
  sqlite: (json: string) => sql`json_each(${json})`,
  postgres: (json: string) => sql`json_array_elements(cast(${json} as json)) as item(value)`,
};

/** Returns how many were inserted; a request that is there already is left as it is. */
export const insertRows = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly UsageRecordsTable[],
): Promise<number> => {
  const json = JSON.stringify(rows.map((row) => NAMES.map((name) => row[name])));
  const { numAffectedRows } = await sql`insert into usage_records (${sql.raw(NAMES.join(', '))})
    select ${sql.raw(values[engine])} from ${source[engine](json)} where true
    on conflict (request_id) do nothing`.execute(trx);
  return Number(numAffectedRows);
};
