// Jobs in the console's API, on both databases.
import assert from 'node:assert/strict';
import { consoleJobs } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { submitJob } from '../../src/jobs/testing/submit.ts';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { Browser, openConsole } from './console-app.ts';

onBothEngines('jobs of an account are listed by page and can be cancelled', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const { storage } = place;
  const foreign = await createAccount(storage, 'foreign');
  const ids: string[] = [];
  for (let n = 0; n < 52; n++) ids.push(await submitJob(storage, account.id));
  const other = await submitJob(storage, foreign.id);
  const path = `/api/accounts/${account.id}/jobs`;
  const page = async (query = '') => consoleJobs.strict().parse((await ada.ask('GET', `${path}${query}`)).json());
  const first = await page();
  assert.deepEqual(
    first.jobs.map(({ id }) => id),
    ids.slice(2).reverse(),
  );
  const second = await page(`?before=${first.next_before}`);
  assert.deepEqual([second.jobs.map(({ id }) => id), second.next_before], [[ids[1], ids[0]], null]);

  const cancelled = await ada.ask('POST', `${path}/${ids[0]}/cancel`, {});
  assert.equal(cancelled.json().state, 'cancelled');
  assert.deepEqual(
    (await page('?state=cancelled')).jobs.map(({ id }) => id),
    [ids[0]],
  );
  assert.equal((await ada.ask('POST', `${path}/${other}/cancel`, {})).statusCode, 404);
  assert.equal((await ada.ask('GET', `${path}?state=nothing`)).statusCode, 400);
  assert.equal((await new Browser(app).ask('GET', path)).statusCode, 401);
});
