// Opens databases of version 0.1.0, migrates them, and checks that every row is kept.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { sql } from '#kysely';
import { SCHEMA_VERSION, schemaVersion } from '../../src/storage/inspect.ts';
import { openStorage } from '../../src/storage/open.ts';
import { postgresAbsence } from '../../src/storage/testing/engines.ts';
import { checkChains } from '../../src/usage/chain/check.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { exportLines } from '../../src/usage/receipts/export.ts';
import { ReceiptSigner } from '../../src/usage/receipts/signing-keys.ts';
import { verifyExport } from '../../src/usage/receipts/verify.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { runCli } from '../cli/run-cli.ts';
import { databaseOf010, type Row } from './fixtures.ts';

/** Sessions of 0.1.0 are deleted, because their tokens were stored in plain text. */
const CHANGED = new Set(['person_sessions', 'schema_migrations']);

/** A row without newer columns, as comparable text. */
const known = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((name) => row[name]));

for (const engine of ['sqlite', 'postgres'] as const) {
  const skip = engine === 'postgres' && postgresAbsence;

  test(`a database of 0.1.0 keeps every row (${engine})`, { skip }, async (t) => {
    const old = await databaseOf010(t, engine);
    const before = await old.tables();
    assert.equal(await schemaVersion(old.options), 2);
    assert.equal(before.get('usage_records')?.length, 5);
    const storage = await openStorage(old.options);
    await storage.close();
    const after = await old.tables();
    for (const [table, rows] of before) {
      if (CHANGED.has(table) || rows.length === 0) continue;
      const columns = Object.keys(rows[0]!).sort();
      const kept = new Set(after.get(table)?.map((row) => known(row, columns)));
      for (const row of rows) assert.ok(kept.has(known(row, columns)), `${table}: ${known(row, columns)}`);
      assert.equal(after.get(table)?.length, rows.length, table);
    }
    assert.equal(await schemaVersion(old.options), SCHEMA_VERSION);
  });

  test(`its usage is covered by the first link of each chain, and changes to it are detected (${engine})`, {
    skip,
  }, async (t) => {
    const { options } = await databaseOf010(t, engine);
    assert.match((await runCli(options, 'check', '--ledger')).stdout, /warn .*join the chain at the next start/);
    const storage = await openStorage(options);
    t.after(() => storage.close());
    const sealed = await checkChains(storage);
    assert.deepEqual([sealed.sealedRows, sealed.links, sealed.faults], [5, 0, []]);
    const { account_id: accountId } = await storage.write
      .selectFrom('usage_records')
      .select('account_id')
      .executeTakeFirstOrThrow();
    const meter = new LedgerMeter(storage);
    await meter.record(entry({ accountId }));
    await meter.close();
    const grown = await checkChains(storage);
    assert.deepEqual([grown.sealedRows, grown.links, grown.faults], [5, 1, []]);
    const lines: string[] = [];
    for await (const text of exportLines({ storage, signer: new ReceiptSigner(storage) }, { accountId }))
      lines.push(text);
    const rows = (await verifyExport(Readable.from(lines.join('').trimEnd().split('\n')), undefined)).rows;
    assert.ok(rows > 1);
    const altered = lines.join('').replace(/"billed_audio_seconds":[\d.]+/, '"billed_audio_seconds":0.5');
    await assert.rejects(
      verifyExport(Readable.from(altered.trimEnd().split('\n')), undefined),
      /Row 1 of those before the chain was altered/,
    );
    await sql`update usage_records set billed_ms = billed_ms + 1 where chain_seq = 0 and account_id = ${accountId}`.execute(
      storage.write,
    );
    assert.match((await checkChains(storage)).faults[0]?.message ?? '', /covered by the first link was altered/);
    await sql`delete from usage_records where chain_seq = 0 and account_id = ${accountId}`.execute(storage.write);
    assert.match((await checkChains(storage)).faults[0]?.message ?? '', /first link covers \d+ rows, but 0 exist/);
  });

  test(`its accounts, keys and usage are listed as before (${engine})`, { skip }, async (t) => {
    const { options } = await databaseOf010(t, engine);
    const keys = await runCli(options, 'keys', 'list', '--json');
    assert.deepEqual(
      JSON.parse(keys.stdout)
        .map(({ name, state }: Row) => [name, state])
        .sort(),
      [
        ['first key', 'active'],
        ['old laptop', 'revoked'],
      ],
    );
    const accounts = JSON.parse((await runCli(options, 'accounts', 'list', '--json')).stdout);
    assert.equal(accounts.find(({ name }: Row) => name === 'Presse & Söhne').max_streams, 7);
    const terms = await runCli(options, 'accounts', 'vocabulary', 'Presse & Söhne');
    assert.equal(terms.stdout, 'Zürich\nFaircopy\nO’Neill\n');
  });

  test(`a downgrade is refused and changes nothing (${engine})`, { skip }, async (t) => {
    const { options, tables } = await databaseOf010(t, engine);
    const storage = await openStorage(options);
    await sql`insert into schema_migrations values (99, 'of a later release', 1)`.execute(storage.write);
    await storage.close();
    const before = await tables();
    const { code, stderr } = await runCli(options, 'serve');
    assert.equal(code, 78);
    assert.match(stderr, /schema version 99, but this release of Faircopy supports versions up to \d+\./);
    assert.match(stderr, /run that release, or restore a backup made before the upgrade/);
    assert.deepEqual(await tables(), before);
  });
}
