import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type KeyRules, NO_KEY_RULES } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openStorage } from '../../storage/open.ts';
import { onBothEngines, type Place } from '../../storage/testing/engines.ts';
import { createAccount, setLimits, setRedaction } from '../accounts.ts';
import { newKey } from '../keys/key-format.ts';
import { changeKeyRules, createKey, listKeys, revokeKey } from '../keys/keys.ts';
import { DEFAULT_LIMITS } from '../testing/limits.ts';
import { setVocabulary } from '../vocabulary/vocabulary.ts';
import { CachedAuthenticator } from './authenticator.ts';

const defaults = DEFAULT_LIMITS;

/** A clock that stands still until the test moves it. */
const stoppedClock = () => {
  let ms = 0;
  return { now: systemClock.now, monotonicMs: () => ms, advance: (byMs: number) => (ms += byMs) };
};

const prepared = async (t: TestContext, place: Place) => {
  const clock = stoppedClock();
  const authenticator = new CachedAuthenticator({ storage: place.storage, defaults, clock });
  t.after(() => authenticator.close());
  const account = await createAccount(place.storage, 'acme');
  const made = await createKey(place.storage, { accountId: account.id, name: 'laptop', createdBy: 'test' });
  return { clock, authenticator, account, ...made };
};

onBothEngines('a key resolves to its account with its limits and terms', async (t, place) => {
  const { authenticator, account, key, listing } = await prepared(t, place);
  await setLimits(place.storage, account.id, { maxStreams: 3 });
  await setVocabulary(place.storage, account.id, ['Faircopy', 'Ångström', 'Faircopy']);
  assert.deepEqual(await authenticator.authenticate(key), {
    accountId: account.id,
    accountName: 'acme',
    redaction: [],
    languages: [],
    rules: NO_KEY_RULES,
    budget: null,
    keyId: listing.id,
    limits: { ...DEFAULT_LIMITS, maxStreams: 3 },
    refinement: null,
    vocabulary: ['Faircopy', 'Ångström'],
  });
});

onBothEngines('unknown and malformed keys are refused', async (t, place) => {
  const { authenticator, key } = await prepared(t, place);
  for (const presented of [newKey(), '', 'fc_', key.slice(0, -1), `${key}x`, key.toLowerCase()])
    assert.equal(await authenticator.authenticate(presented), null);
});

onBothEngines('cached keys, known and unknown, need no read', async (t, place) => {
  const own = await openStorage(place.options);
  const { account } = await prepared(t, place);
  const { key } = await createKey(place.storage, { accountId: account.id, name: 'second', createdBy: null });
  const stranger = newKey();
  const authenticator = new CachedAuthenticator({ storage: own, defaults, clock: stoppedClock() });
  assert.ok(await authenticator.authenticate(key));
  assert.equal(await authenticator.authenticate(stranger), null);
  // With the database closed, only the cache can answer.
  await own.close();
  assert.ok(await authenticator.authenticate(key));
  assert.equal(await authenticator.authenticate(stranger), null);
  await assert.rejects(authenticator.authenticate(newKey()), { code: 'SERVICE_UNAVAILABLE' });
  await authenticator.close();
});

onBothEngines('a key revoked by another process is refused once 0.8 s have passed', async (t, place) => {
  const { authenticator, clock, account, key, listing } = await prepared(t, place);
  assert.ok(await authenticator.authenticate(key));
  const elsewhere = await openStorage(place.options);
  await revokeKey(elsewhere, account.id, listing.id);
  await elsewhere.close();
  clock.advance(800);
  assert.equal(await authenticator.authenticate(key), null);
});

onBothEngines('a changed limit and a new key are seen once 0.8 s have passed', async (t, place) => {
  const { authenticator, clock, account, key } = await prepared(t, place);
  assert.equal((await authenticator.authenticate(key))?.limits.maxDurationSeconds, 300);
  await setLimits(place.storage, account.id, { maxDurationSeconds: 1200 });
  const later = await createKey(place.storage, { accountId: account.id, name: 'later', createdBy: null });
  clock.advance(800);
  assert.equal((await authenticator.authenticate(key))?.limits.maxDurationSeconds, 1200);
  assert.ok(await authenticator.authenticate(later.key));
  await setLimits(place.storage, account.id, { maxDurationSeconds: null });
  clock.advance(800);
  assert.equal((await authenticator.authenticate(key))?.limits.maxDurationSeconds, 300);
});

onBothEngines('rules of a key that another process changed apply once 0.8 s have passed', async (t, place) => {
  const { authenticator, clock, account, key, listing } = await prepared(t, place);
  assert.deepEqual((await authenticator.authenticate(key))?.rules, NO_KEY_RULES);
  const elsewhere = await openStorage(place.options);
  const rules: KeyRules = { ...NO_KEY_RULES, models: ['svc-1.0-lite'], redact: ['pci'], refinement: 'light' };
  await changeKeyRules(elsewhere, account.id, listing.id, rules);
  await setRedaction(elsewhere, account.id, ['phone']);
  await elsewhere.close();
  clock.advance(800);
  const principal = await authenticator.authenticate(key);
  assert.deepEqual(principal?.rules, rules);
  assert.deepEqual(principal?.redaction, ['phone']);
});

onBothEngines('a stale cache is not used while the database is unreachable', async (t, place) => {
  const own = await openStorage(place.options);
  const { key } = await prepared(t, place);
  const clock = stoppedClock();
  const authenticator = new CachedAuthenticator({ storage: own, defaults, clock });
  assert.ok(await authenticator.authenticate(key));
  await own.close();
  clock.advance(10_000);
  await assert.rejects(
    authenticator.authenticate(key),
    (thrown) => thrown instanceof Fault && thrown.httpStatus === 503,
  );
  await authenticator.close();
});

onBothEngines('a cached key expires on time', async (t, place) => {
  const { account } = await prepared(t, place);
  let nowMs = Date.now();
  const clock = { now: () => nowMs, monotonicMs: () => 0 };
  const authenticator = new CachedAuthenticator({ storage: place.storage, defaults, clock });
  t.after(() => authenticator.close());
  const expiresAtMs = nowMs + 60_000;
  const { key } = await createKey(place.storage, { accountId: account.id, name: 'k', createdBy: null, expiresAtMs });
  assert.ok(await authenticator.authenticate(key));
  nowMs = expiresAtMs;
  assert.equal(await authenticator.authenticate(key), null);
});

onBothEngines('the time of last use is written at close and never decreases', async (t, place) => {
  const { account, key, listing } = await prepared(t, place);
  assert.equal(listing.lastUsedAtMs, null);
  for (const [nowMs, expected] of [
    [5_000, 5_000],
    [4_000, 5_000],
    [6_000, 6_000],
  ] as const) {
    const clock = { now: () => nowMs, monotonicMs: () => 0 };
    const authenticator = new CachedAuthenticator({ storage: place.storage, defaults, clock });
    assert.ok(await authenticator.authenticate(key));
    await authenticator.close();
    assert.equal((await listKeys(place.storage.read, account.id))[0]?.lastUsedAtMs, expected);
  }
});

onBothEngines('concurrent requests with many keys get the right results', async (t, place) => {
  const { authenticator, account } = await prepared(t, place);
  const make = (n: number) => createKey(place.storage, { accountId: account.id, name: `key ${n}`, createdBy: null });
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => make(n)));
  const asked = Array.from({ length: 600 }, (_, n) => (n % 3 === 0 ? newKey() : made[n % 20]!.key));
  const answers = await Promise.all(asked.map((key) => authenticator.authenticate(key)));
  answers.forEach((answer, n) => {
    assert.equal(answer?.keyId, n % 3 === 0 ? undefined : made[n % 20]!.listing.id);
  });
});

onBothEngines('the keys of an account share one copy of its vocabulary', async (t, place) => {
  const { authenticator, account, key } = await prepared(t, place);
  await setVocabulary(place.storage, account.id, ['Faircopy', 'Ångström']);
  const second = await createKey(place.storage, { accountId: account.id, name: 'second', createdBy: null });
  const [first, other] = [await authenticator.authenticate(key), await authenticator.authenticate(second.key)];
  assert.deepEqual(first?.vocabulary, ['Faircopy', 'Ångström']);
  assert.equal(first?.vocabulary, other?.vocabulary);
});
