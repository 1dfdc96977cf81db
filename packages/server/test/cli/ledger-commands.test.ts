import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageRecord } from '@faircopy/contract';
import { accountNamed } from '../../src/accounts/accounts.ts';
import { CachedAuthenticator } from '../../src/accounts/authentication/authenticator.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { onBothEngines, onSqlite } from '../../src/storage/testing/engines.ts';
import { LedgerMeter } from '../../src/usage/ledger/ledger-meter.ts';
import { entry } from '../../src/usage/testing/entries.ts';
import { emptyFolder, runCli } from './run-cli.ts';

onBothEngines(
  'keys are made, used, listed and revoked while the database is in use',
  async (t, { storage, options }) => {
    let measuredMs = 0;
    const clock = { now: Date.now, monotonicMs: () => measuredMs };
    const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS, clock });
    t.after(() => authenticator.close());

    const created = await runCli(options, 'keys', 'create', '--account', 'acme', '--name', 'laptop');
    assert.equal(created.code, 0, created.stderr);
    assert.match(created.stdout, /^fc_[0-9A-Za-z]{49}\n$/);
    assert.match(created.stderr, /only time/);
    const key = created.stdout.trim();
    assert.equal((await authenticator.authenticate(key))?.accountName, 'acme');

    const limits = await runCli(options, 'accounts', 'set-limits', 'acme', '--max-streams', '2', '--json');
    assert.equal(JSON.parse(limits.stdout)[0].max_streams, 2);
    measuredMs += 1000;
    const limited = await authenticator.authenticate(key);
    assert.equal(limited?.limits.maxStreams, 2);
    const lifted = await runCli(options, 'accounts', 'set-limits', 'acme', '--max-streams', 'default', '--json');
    assert.equal(JSON.parse(lifted.stdout)[0].max_streams, null);

    const [listed] = JSON.parse((await runCli(options, 'keys', 'list', '--json')).stdout);
    assert.deepEqual([listed.account, listed.name, listed.state], ['acme', 'laptop', 'active']);
    assert.ok(key.startsWith(listed.prefix));

    const rules = ['--scopes', 'jobs,stream', '--redact', 'pci', '--tags', 'kiosk'];
    assert.equal((await runCli(options, 'keys', 'change', listed.id, ...rules)).code, 0);
    assert.match((await runCli(options, 'keys', 'list')).stdout, /\t--scopes jobs,stream --redact pci --tags kiosk\n/);
    await runCli(options, 'accounts', 'set-languages', 'acme', 'de,en');
    assert.match((await runCli(options, 'accounts', 'set-redaction', 'acme', 'pii')).stdout, /\tde,en\tpii\n/);

    assert.equal((await runCli(options, 'keys', 'revoke', listed.id)).code, 0);
    measuredMs += 1000;
    assert.equal(await authenticator.authenticate(key), null);
    assert.match((await runCli(options, 'keys', 'list')).stdout, /\tlaptop\trevoked\t/);
  },
);

onBothEngines('usage prints the records of one account, as JSON and as CSV', async (_t, { storage, options }) => {
  await runCli(options, 'accounts', 'create', 'acme');
  const { id } = await accountNamed(storage.read, 'acme');
  const meter = new LedgerMeter(storage);
  const mine = [entry({ accountId: id }), entry({ accountId: id, status: 'FILE_TOO_LARGE', model: null })];
  await Promise.all([...mine, entry({ accountId: 'another' })].map((each) => meter.record(each)));

  const json = await runCli(options, 'usage', '--account', 'acme', '--json');
  const records = JSON.parse(json.stdout).map((record: unknown) => usageRecord.parse(record));
  assert.deepEqual(
    records.map((record: { request_id: string }) => record.request_id),
    mine.map((each) => each.requestId).reverse(),
  );
  const csv = await runCli(options, 'usage', '--account', 'acme', '--csv', '--model', 'svc-1.0-max');
  assert.deepEqual(csv.stdout.split('\r\n').length, 3);
  assert.ok(csv.stdout.includes(mine[0]!.requestId));
  const sums = JSON.parse((await runCli(options, 'usage', '--account', 'acme', '--by', 'status', '--json')).stdout);
  assert.deepEqual(
    sums.map((sum: Record<string, unknown>) => [sum.status, sum.requests, sum.errors]),
    [
      ['FILE_TOO_LARGE', 1, 1],
      ['success', 1, 0],
    ],
  );
  const none = await runCli(options, 'usage', '--account', 'acme', '--json', '--since', '2999-01-01');
  assert.deepEqual(JSON.parse(none.stdout), []);
});

onSqlite('a vocabulary is set from a file, shown and cleared', async (t, { options }) => {
  await runCli(options, 'accounts', 'create', 'acme');
  const file = join(await emptyFolder(t), 'terms.txt');
  await writeFile(file, 'Faircopy\r\n\nÅngström\n');
  assert.equal((await runCli(options, 'accounts', 'vocabulary', 'acme', '--set', file)).code, 0);
  assert.equal((await runCli(options, 'accounts', 'vocabulary', 'acme')).stdout, 'Faircopy\nÅngström\n');
  await runCli(options, 'accounts', 'vocabulary', 'acme', '--clear');
  assert.equal((await runCli(options, 'accounts', 'vocabulary', 'acme')).stdout, '');
});

onSqlite('faults are reported in a sentence, with an exit code for their kind', async (_t, { options }) => {
  await runCli(options, 'accounts', 'create', 'acme');
  const cases: [number, RegExp, string[]][] = [
    [65, /already/, ['accounts', 'create', 'acme']],
    [65, /no account named "nobody"/, ['usage', '--account', 'nobody']],
    [65, /no account named "\\u202enobody"/, ['usage', '--account', '\u202enobody']],
    [65, /no key/, ['keys', 'revoke', 'nothing']],
    [64, /at most 200 characters/, ['keys', 'create', '--account', 'x'.repeat(10_000), '--name', 'x']],
    [64, /must be in the future/, ['keys', 'create', '--account', 'acme', '--name', 'x', '--expires', '2001-01-01']],
    [64, /Write a date/, ['usage', '--account', 'acme', '--since', 'yesterday']],
    [64, /Name a limit/, ['accounts', 'set-limits', 'acme']],
    [64, /whole number/, ['accounts', 'set-limits', 'acme', '--max-streams', '-1']],
    [64, /Choose from/, ['usage', '--account', 'acme', '--by', 'week']],
    [64, /cannot be read/, ['accounts', 'vocabulary', 'acme', '--set', '/nowhere']],
    [64, /--name/, ['keys', 'create', '--account', 'acme']],
  ];
  for (const [code, sentence, args] of cases) {
    const outcome = await runCli(options, ...args);
    assert.equal(outcome.code, code, args.join(' '));
    assert.match(outcome.stderr, sentence);
    assert.equal(outcome.stdout, '');
  }
});
