import assert from 'node:assert/strict';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { createAccount } from '../accounts.ts';
import { KEY_LIMITS } from './key-limits.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';

const HOUR_MS = 60 * 60 * 1000;

onBothEngines('valid keys per member are limited, even for concurrent requests', async (_t, { storage }) => {
  const account = await createAccount(storage, 'a');
  const make = (personId: string | null, nowMs = Date.now()) =>
    createKey(storage, { accountId: account.id, name: 'k', createdBy: null, personId }, nowMs);
  const made = await Promise.allSettled(Array.from({ length: KEY_LIMITS.activePerMemberMax + 10 }, () => make('bo')));
  const kept = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.listing] : []));
  assert.equal(kept.length, KEY_LIMITS.activePerMemberMax);
  await assert.rejects(make('bo'), { code: 'CONFLICT' });
  // Other members and the command line are not affected.
  await make('cy');
  await make(null);
  await revokeKey(storage, account.id, kept[0]!.id);
  await make('bo');
});

onBothEngines('revoked keys count against the daily limit', async (_t, { storage }) => {
  const account = await createAccount(storage, 'a');
  const nowMs = Date.now();
  const expiresAtMs = nowMs + 1;
  const wish = { accountId: account.id, name: 'k', createdBy: null, personId: 'bo' };
  for (let n = 0; n < KEY_LIMITS.madePerMemberAndDayMax; n++) {
    // Each expires before the next, so none is valid at the end.
    await createKey(storage, { ...wish, expiresAtMs: expiresAtMs + n }, nowMs + n);
  }
  await assert.rejects(createKey(storage, wish, nowMs + HOUR_MS), { code: 'RATE_LIMITED' });
  await createKey(storage, wish, nowMs + 25 * HOUR_MS);
});

onBothEngines('old playground keys expire to make room for new ones, and are not revoked', async (_t, { storage }) => {
  const account = await createAccount(storage, 'a');
  const nowMs = Date.now();
  const wish = { accountId: account.id, name: 'Playground', createdBy: PLAYGROUND_CREATOR, personId: 'bo' };
  const count = KEY_LIMITS.activePerMemberMax + 1;
  const own = await createKey(storage, { ...wish, name: 'own', createdBy: null }, nowMs);
  for (let n = 0; n < count; n++) await createKey(storage, { ...wish, expiresAtMs: nowMs + HOUR_MS }, nowMs + n);
  const keys = await listKeys(storage.read, account.id);
  // Jobs that were sent with an expired playground key still run.
  assert.ok(keys.every(({ revokedAtMs }) => revokedAtMs === null));
  const valid = keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs + count);
  assert.equal(valid.length, KEY_LIMITS.playgroundPerMemberMax + 1);
  assert.equal(valid[0]?.createdAtMs, nowMs + count - 1, 'the newest stay');
  assert.equal(valid.at(-1)?.id, own.listing.id);
});
