// `faircopy jobs` while a server runs.
import assert from 'node:assert/strict';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { submitJob } from '../../src/jobs/testing/submit.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { runCli } from './run-cli.ts';

onSqlite('jobs are listed, shown and cancelled on the command line', async (_t, { storage, options }) => {
  const [acme, other] = [await ensureAccount(storage, 'acme'), await ensureAccount(storage, 'other')];
  const id = await submitJob(storage, acme.account.id, { webhookUrl: 'https://example.com/hook?token=private' });
  const second = await submitJob(storage, other.account.id);

  const all = JSON.parse((await runCli(options, 'jobs', 'list', '--json')).stdout);
  assert.deepEqual(
    all.map((job: { id: string; account: string; state: string }) => [job.id, job.account, job.state]),
    [
      [second, 'other', 'waiting'],
      [id, 'acme', 'waiting'],
    ],
  );
  const table = (await runCli(options, 'jobs', 'list', '--account', 'acme')).stdout;
  assert.match(table, new RegExp(`${id}\\tacme\\twaiting`));
  assert.ok(!table.includes(second));

  const cancelled = await runCli(options, 'jobs', 'cancel', id);
  assert.equal(cancelled.code, 0, cancelled.stderr);
  const shown = await runCli(options, 'jobs', 'show', id);
  assert.equal(JSON.parse(shown.stdout).state, 'cancelled');
  assert.ok(!shown.stdout.includes('private'), 'the address of a webhook may hold a secret');
  const waiting = JSON.parse((await runCli(options, 'jobs', 'list', '--state', 'waiting', '--json')).stdout);
  assert.deepEqual(waiting.length, 1);

  const absent = await runCli(options, 'jobs', 'show', '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C');
  assert.notEqual(absent.code, 0);
  assert.match(absent.stderr, /no such job/);
});
