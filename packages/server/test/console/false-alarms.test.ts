// False alarms of vocabulary terms in the console's API.
import assert from 'node:assert/strict';
import { principalOfKey } from '../../src/accounts/authentication/key-lookup.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { DEFAULT_LIMITS } from '../../src/accounts/testing/limits.ts';
import { mergeVocabulary } from '../../src/calls/request-vocabulary.ts';
import { onBothEngines } from '../../src/storage/testing/engines.ts';
import { openConsole } from './console-app.ts';

onBothEngines('false alarms count against a term and stay with it', async (t, place) => {
  const { ada, account, storage } = await openConsole(t, place);
  const base = `/api/accounts/${account.id}`;
  const set = (terms: readonly string[]) => ada.ask('PUT', `${base}/vocabulary`, { terms });
  const alarm = (term: unknown) => ada.ask('POST', `${base}/vocabulary/false-alarms`, { term });
  const { listing } = await createKey(storage, { accountId: account.id, name: 'one', createdBy: null });
  const weights = async () => {
    const principal = await principalOfKey(storage.write, DEFAULT_LIMITS, listing.id, Date.now());
    assert.ok(principal);
    return mergeVocabulary([], principal.vocabulary, principal.falseAlarms).map(({ weight = 1 }) => weight);
  };
  await set(['Istio', 'Nguyen (sounds like win)']);
  assert.deepEqual((await alarm('nguyen')).json(), { term: 'Nguyen (sounds like win)', count: 1 });
  assert.deepEqual(await weights(), [1, 1]);
  await alarm('Nguyen');
  assert.deepEqual(await weights(), [1, 0.5]);
  await set(['Nguyen (sounds like win)', 'etcd']);
  assert.deepEqual((await ada.ask('GET', base)).json().false_alarms, [{ term: 'Nguyen (sounds like win)', count: 2 }]);
  for (let times = 3; times <= 5; times++) assert.equal((await alarm('Nguyen')).json().count, times);
  assert.deepEqual(await weights(), [0, 1]);
  assert.equal((await alarm('Istio')).statusCode, 404);
  assert.equal((await alarm(7)).statusCode, 400);
});
