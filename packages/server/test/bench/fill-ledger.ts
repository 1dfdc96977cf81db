// Fills the ledger of a PostgreSQL with years of linked rows, which the database generates and hashes month by month.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Storage } from '../../src/storage/open.ts';
import { firstIdAt, monthStartMs, partitionName } from '../../src/usage/archive/partitions.ts';
import { lockEnds } from '../../src/usage/chain/ends.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';

export interface Filling {
  readonly databaseUrl: string;
  readonly rows: number;
  readonly months: number;
  readonly accountIds: readonly string[];
  readonly keyIds: readonly string[];
}

const MODELS = ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const;

/** Request n of the benchmark: plausible values, a failure now and then. */
export const entryOf = (
  n: number,
  place: Pick<UsageEntry, 'requestId' | 'accountId' | 'keyId' | 'createdAtMs'>,
): UsageEntry => {
  const failed = n % 50 === 0;
  return {
    ...place,
    mode: n % 3 === 0 ? 'stream' : 'file',
    model: MODELS[n % 3]!,
    status: failed ? (n % 5000 === 0 ? 'FILE_TOO_LARGE' : 'SERVICE_UNAVAILABLE') : 'success',
    audioSeconds: (n % 3000) / 10,
    billedSeconds: failed ? 0 : Math.max(15, Math.ceil((n % 3000) / 10)),
    outputTokenCount: n % 400,
    detectedLanguage: 'en',
    receiveMs: 5,
    recognitionMs: 300,
    refinementMs: 4,
    refinementFallback: null,
  };
};

export const fillLedger = async (storage: Storage, filling: Filling): Promise<void> => {
  const { rows, months, accountIds, databaseUrl } = filling;
  const nowMs = Date.now();
  await storage.write.transaction().execute((trx) => lockEnds(storage.engine, trx, accountIds));
  let indexing: Promise<void> = Promise.resolve();
  for (let month = 0, n = 0; month < months; month++) {
    const fromMs = monthStartMs(nowMs, month - months);
    const last = Math.round((rows * (month + 1)) / months);
    const partition = {
      name: partitionName(fromMs),
      fromMs,
      untilMs: monthStartMs(nowMs, month - months + 1),
      firstRow: n,
      lastRow: last - 1,
    };
    await psql(databaseUrl, monthOfRows(partition, filling));
    n = last;
    await indexing;
    // Indexes are built while the next month is computed.
    indexing = psql(databaseUrl, attachment(partition));
    console.error(`${n} rows of ${rows}`);
  }
  await indexing;
  await psql(databaseUrl, 'analyze;');
};

interface Month {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

const attachment = ({ name, fromMs, untilMs }: Month): string => `
  set maintenance_work_mem = '1GB';
  create unique index ${name}_by_link on ${name} (account_id, chain_seq) where chain_seq > 0;
  alter table usage_records attach partition ${name} for values from ('${firstIdAt(fromMs)}') to ('${firstIdAt(untilMs)}');`;

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A time as the first ten characters of a request id. */
const idTime = (ms: string): string =>
  [45, 40, 35, 30, 25, 20, 15, 10, 5, 0]
    .map((bits) => `substr('${BASE32}', cast((${ms} >> ${bits}) & 31 as integer) + 1, 1)`)
    .join(' || ');

const textArray = (texts: readonly string[]): string => `array['${texts.join("', '")}']`;

/** Every fifth row goes to the first account; the others share the rest. The values are those of `entryOf`. */
const plainRows = ({ firstRow, lastRow, fromMs, untilMs }: Month, { accountIds, keyIds }: Filling): string => `
  select n, account_id, ${idTime('created_at_ms')} || lpad(cast(n as text), 16, '0') as request_id,
    (${textArray(keyIds)})[n % ${keyIds.length} + 1] as key_id,
    case when n % 3 = 0 then 'stream' else 'file' end as mode,
    (${textArray(MODELS)})[n % 3 + 1] as model,
    case when n % 5000 = 0 then 'FILE_TOO_LARGE' when n % 50 = 0 then 'SERVICE_UNAVAILABLE' else 'success' end as status,
    n % 3000 * 100000 as audio_us,
    case when n % 50 = 0 then 0 else greatest(15, (n % 3000 + 9) / 10) * 1000 end as billed_ms,
    n % 400 as output_token_count, created_at_ms,
    row_number() over (partition by account_id order by n) as nth
  from (select n,
      (${textArray(accountIds)})[case when n % 5 = 0 then 1 else 2 + n % ${accountIds.length - 1} end] as account_id,
      ${fromMs} + (n - ${firstRow}) * ${untilMs - fromMs} / ${lastRow - firstRow + 1} as created_at_ms
    from generate_series(cast(${firstRow} as bigint), ${lastRow}) as n) as request`;

/** A month of rows with the hashes of their links (`chain/link.ts`), their daily sums and the ends of the chains. */
const monthOfRows = (month: Month, filling: Filling): string => `
  begin;
  set local work_mem = '1GB';
  set local jit = off;
  create function pg_temp.next_hash(before text, first_hash text, head text, tail text) returns text
    language plpgsql immutable as $$ begin
      return translate(encode(sha256(convert_to(head || coalesce(before, first_hash) || tail, 'UTF8')), 'base64'),
        '+/=', '-_');
    end $$;
  create aggregate pg_temp.chained(text, text, text) (sfunc = pg_temp.next_hash, stype = text);
  create table ${month.name} (like usage_records);
  insert into ${month.name} (request_id, account_id, key_id, mode, model, status, audio_us, billed_ms,
    output_token_count, detected_language, receive_ms, recognition_ms, refinement_ms, created_at_ms, chain_seq, chain_hash)
  select request_id, account_id, key_id, mode, model, status, audio_us, billed_ms,
    output_token_count, 'en', 5, 300, 4, created_at_ms, seq,
    pg_temp.chained(last_hash, '["faircopy-usage-1","' || account_id || '",' || seq || ',"',
      '",null,"' || request_id || '","' || key_id || '","' || mode || '","' || model || '","' || status || '",' ||
      audio_us || ',' || billed_ms || ',' || output_token_count || ',"en",5,300,4,null,' || created_at_ms || ']')
      over (partition by account_id order by n rows unbounded preceding)
  from (select plain.*, chain.seq + nth as seq, chain.hash as last_hash
    from (${plainRows(month, filling)}) as plain join usage_chains as chain using (account_id)) as linked
  order by n;
  insert into usage_daily
    (account_id, day, mode, model, key_id, status, requests, audio_us, billed_ms, output_token_count)
  select account_id, to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYY-MM-DD'), mode, model, key_id, status,
    requests, audio_us, billed_ms, output_token_count
  from (select account_id, created_at_ms / 86400000 as day, mode, model, key_id, status, count(*) as requests,
      sum(audio_us) as audio_us, sum(billed_ms) as billed_ms, sum(output_token_count) as output_token_count
    from ${month.name} group by 1, 2, 3, 4, 5, 6) as sums;
  update usage_chains set seq = last.seq, hash = ${month.name}.chain_hash
  from (select account_id, max(chain_seq) as seq from ${month.name} group by 1) as last
    join ${month.name} on ${month.name}.account_id = last.account_id and ${month.name}.chain_seq = last.seq
  where usage_chains.account_id = last.account_id;
  commit;`;

const psql = async (databaseUrl: string, text: string): Promise<void> => {
  const child = spawn('psql', ['-q', '-v', 'ON_ERROR_STOP=1', databaseUrl], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'close');
  child.stdin.end(text);
  const [code] = await ended;
  if (code !== 0) throw new Error(`psql ended with ${code}`);
};
