import assert from 'node:assert/strict';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { createAccount, setLimits } from '../accounts.ts';
import { createKey, revokeKey } from '../keys/keys.ts';
import type { AccessChange, Principal } from '../principal.ts';
import { DEFAULT_LIMITS } from '../testing/limits.ts';
import { CachedAuthenticator } from './authenticator.ts';

const nextChange = (authenticator: CachedAuthenticator, principal: Principal): Promise<AccessChange> =>
  new Promise((resolve) => authenticator.watch(principal, resolve));

onBothEngines('a key revoked between its check and the watch is reported', async (t, { storage }) => {
  const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS });
  t.after(() => authenticator.close());
  const account = await createAccount(storage, 'a');
  const { key, listing } = await createKey(storage, { accountId: account.id, name: 'k', createdBy: null });
  const principal = await authenticator.authenticate(key);
  await revokeKey(storage, account.id, listing.id);
  assert.deepEqual(await nextChange(authenticator, principal!), { kind: 'revoked' });
});

onBothEngines('changed limits are reported, and an ended watch reports nothing', async (t, { storage }) => {
  const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS });
  t.after(() => authenticator.close());
  const account = await createAccount(storage, 'a');
  const { key } = await createKey(storage, { accountId: account.id, name: 'k', createdBy: null });
  const principal = (await authenticator.authenticate(key))!;
  const heard: AccessChange[] = [];
  const end = authenticator.watch(principal, (change) => heard.push(change));
  const lowered = nextChange(authenticator, principal);
  await setLimits(storage, account.id, { maxStreams: 3 });
  assert.deepEqual(await lowered, { kind: 'limits', maxStreams: 3 });
  assert.equal(heard.length, 1);
  end();
  const restored = nextChange(authenticator, { ...principal, limits: { ...DEFAULT_LIMITS, maxStreams: 3 } });
  await setLimits(storage, account.id, { maxStreams: null });
  assert.deepEqual(await restored, { kind: 'limits', maxStreams: 10 });
  assert.equal(heard.length, 1);
});
