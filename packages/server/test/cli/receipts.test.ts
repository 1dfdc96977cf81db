// `faircopy receipts` and `faircopy check --ledger` as operators and customers use them.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '#kysely';
import { createAccount } from '../../src/accounts/accounts.ts';
import type { Storage } from '../../src/storage/open.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { emptyFolder, runCli } from './run-cli.ts';

/** A machine that has the files, but no server. */
const elsewhere = { dataDir: '/nowhere', databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' };

const recorded = async (storage: Storage, count: number): Promise<string[]> => {
  const { id: accountId } = await createAccount(storage, 'acme');
  const meter = new LedgerMeter(storage);
  const entries = Array.from({ length: count }, () => entry({ accountId }));
  await Promise.all(entries.map((each) => meter.record(each)));
  await meter.close();
  return entries.map(({ requestId }) => requestId);
};

onSqlite('a receipt and an export are verified without a server', async (t, { storage, options }) => {
  const folder = await emptyFolder(t);
  const [requestId] = await recorded(storage, 12);
  const save = async (name: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(options, 'receipts', ...args);
    assert.equal(code, 0, stderr);
    await writeFile(join(folder, name), stdout);
    return join(folder, name);
  };
  const receipt = await save('one.jws', 'get', requestId!, '--account', 'acme');
  const whole = await save('all.jsonl', 'export', '--account', 'acme');
  const keys = await save('keys.json', 'keys', '--jwks');
  const verify = (...args: string[]) => runCli(elsewhere, 'receipts', 'verify', ...args);

  const one = await verify(receipt, '--keys', keys);
  assert.equal(one.code, 0, one.stderr);
  assert.match(one.stdout, new RegExp(`^A genuine receipt: request ${requestId} .* 15 s billed, row 1 of its account`));
  const all = await verify(whole, '--keys', keys);
  assert.equal(all.code, 0, all.stderr);
  assert.match(all.stdout, /12 rows \(1 to 12\), 12 requests, 180 s billed/);
  assert.equal(all.stderr, '');
  // Without trusted keys the export is genuine, but a warning says that its key came with the file.
  const unnamed = await verify(whole);
  assert.equal(unnamed.code, 0);
  assert.match(unnamed.stderr, /The key came with the file/);
  const [{ id }] = JSON.parse((await runCli(options, 'receipts', 'keys', '--json')).stdout);
  assert.equal((await verify(whole, '--key-id', id)).code, 0);
  assert.equal((await verify(whole, '--key-id', 'another')).code, 65);

  await save('new-key', 'rotate-key');
  const newKeys = JSON.parse(await readFile(await save('new-keys.json', 'keys', '--jwks'), 'utf8'));
  assert.equal(newKeys.keys.length, 2);
  assert.equal((await verify(receipt, '--keys', join(folder, 'new-keys.json'))).code, 0);

  const lines = (await readFile(whole, 'utf8')).split('\n');
  await writeFile(whole, lines.toSpliced(5, 1).join('\n'));
  const cut = await verify(whole, '--keys', keys);
  assert.equal(cut.code, 65);
  assert.match(cut.stderr, /^Row 5 is missing or out of order: line 6 has row 6/);
  assert.deepEqual(JSON.parse((await verify(whole, '--json')).stdout).genuine, false);
  assert.equal((await verify(join(folder, 'no such file'))).code, 64);
});

onSqlite('check --ledger reports an unbroken chain, or the row at fault', async (_t, place) => {
  const { storage, options } = place;
  const ids = await recorded(storage, 5);
  const whole = await runCli(options, 'check', '--ledger');
  assert.equal(whole.code, 0, whole.stderr);
  assert.match(whole.stdout, /ok {4}ledger {4}5 links in the chains of 1 accounts, none broken/);
  await sql`update usage_records set billed_ms = 0 where chain_seq = 3`.execute(storage.write);
  const broken = await runCli(options, 'check', '--ledger');
  assert.equal(broken.code, 69);
  assert.match(
    broken.stdout,
    new RegExp(`FAIL {2}ledger .*row 3 or its link to row 2 was altered \\(request ${ids[2]}\\)`),
  );
  const { findings } = JSON.parse((await runCli(options, 'check', '--ledger', '--json')).stdout);
  assert.equal(findings[0].verdict, 'fail');
});

onSqlite('budgets are set, listed with the seconds spent, and removed', async (_t, { storage, options }) => {
  await recorded(storage, 2);
  const budgets = (...args: string[]) => runCli(options, 'budgets', ...args, '--account', 'acme');
  const made = await runCli(options, 'keys', 'create', '--account', 'acme', '--name', 'laptop', '--json');
  const { id: keyId } = JSON.parse(made.stdout);
  assert.equal((await budgets('set', '--day-seconds', '100', '--month-seconds', '1000', '--stop')).code, 0);
  assert.equal((await budgets('set', '--key', keyId, '--day-seconds', '10', '--warn-percent', '50')).code, 0);
  const listed = JSON.parse((await budgets('list', '--json')).stdout);
  assert.deepEqual(
    listed.map((each: Record<string, unknown>) => [each.key_id, each.day_seconds, each.month_seconds, each.stops]),
    [
      [null, 100, 1000, true],
      [keyId, 10, null, false],
    ],
  );
  assert.match((await budgets('list')).stdout, /^all\t100\t/);
  assert.equal((await budgets('remove', '--key', keyId)).code, 0);
  assert.equal(JSON.parse((await budgets('list', '--json')).stdout).length, 1);
  assert.equal((await budgets('set')).code, 64);
  assert.equal((await budgets('set', '--key', 'nothing', '--day-seconds', '1')).code, 65);
});
