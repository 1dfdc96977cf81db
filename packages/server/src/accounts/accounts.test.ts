import assert from 'node:assert/strict';
import { onBothEngines } from '../storage/testing/engines.ts';
import { createAccount, ensureAccount, findAccount, listAccounts, setLimits } from './accounts.ts';
import { createKey, findKey, keyState, listKeys, revokeKey } from './keys/keys.ts';
import { listVocabulary, setVocabulary } from './vocabulary/vocabulary.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '\u202egnp.exe',
  "Robert'); drop table accounts;--",
  '%s %n {{7*7}}',
  '👩‍👩‍👧 e\u0301 Ω',
  'x'.repeat(200),
];

onBothEngines('names are stored unchanged', async (_t, { storage }) => {
  for (const name of HOSTILE) {
    const account = await createAccount(storage, name);
    const { listing } = await createKey(storage, { accountId: account.id, name, createdBy: null });
    assert.equal((await findAccount(storage.read, name))?.id, account.id);
    assert.equal((await listKeys(storage.read, account.id))[0]?.name, name);
    assert.equal(listing.name, name);
  }
  assert.equal((await listAccounts(storage.read)).length, HOSTILE.length);
});

onBothEngines('empty, long, malformed names and control characters are rejected', async (_t, { storage }) => {
  for (const name of ['', '   ', 'x'.repeat(201), 'x'.repeat(10_000), 'a\0b', 'a\nb', 'a\u001b[31mb', '\ud800']) {
    await assert.rejects(createAccount(storage, name), { code: 'INVALID_REQUEST' });
    await assert.rejects(ensureAccount(storage, name), { code: 'INVALID_REQUEST' });
  }
  assert.deepEqual(await listAccounts(storage.read), []);
});

onBothEngines('concurrent requests create an account name once', async (_t, { storage }) => {
  const made = await Promise.allSettled(Array.from({ length: 8 }, () => createAccount(storage, 'acme')));
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const each of made) if (each.status === 'rejected') assert.equal(each.reason.code, 'CONFLICT');
  const ensured = await Promise.all(Array.from({ length: 8 }, () => ensureAccount(storage, 'beta')));
  assert.equal(new Set(ensured.map(({ account }) => account.id)).size, 1);
  assert.equal(ensured.filter(({ created }) => created).length, 1);
});

onBothEngines('limits are set, cleared and validated', async (_t, { storage }) => {
  const { id } = await createAccount(storage, 'acme');
  const limitsNow = async () => {
    const account = await findAccount(storage.read, 'acme');
    return [account?.maxStreams, account?.maxDurationSeconds];
  };
  assert.deepEqual(await limitsNow(), [null, null]);
  await setLimits(storage, id, { maxStreams: 0 });
  await setLimits(storage, id, { maxDurationSeconds: 900 });
  assert.deepEqual(await limitsNow(), [0, 900]);
  await setLimits(storage, id, { maxStreams: null });
  assert.deepEqual(await limitsNow(), [null, 900]);
  for (const change of [
    { maxStreams: -1 },
    { maxStreams: 1.5 },
    { maxDurationSeconds: 0 },
    { maxDurationSeconds: 1e9 },
  ])
    await assert.rejects(setLimits(storage, id, change), { code: 'INVALID_REQUEST' });
  await assert.rejects(setLimits(storage, 'nobody', { maxStreams: 1 }), { code: 'NOT_FOUND' });
  assert.deepEqual(await limitsNow(), [null, 900]);
});

onBothEngines('a key belongs to its account and is revoked once', async (_t, { storage }) => {
  const [acme, beta] = [await createAccount(storage, 'acme'), await createAccount(storage, 'beta')];
  const { key, listing } = await createKey(storage, { accountId: acme.id, name: 'one', createdBy: 'ann' });
  await assert.rejects(revokeKey(storage, beta.id, listing.id), { code: 'NOT_FOUND' });
  assert.equal(keyState((await listKeys(storage.read, acme.id))[0]!, 0), 'active');
  const revoked = await revokeKey(storage, acme.id, listing.id, 1000);
  assert.deepEqual([revoked.revokedAtMs, keyState(revoked, 0)], [1000, 'revoked']);
  assert.equal((await revokeKey(storage, acme.id, listing.id, 2000)).revokedAtMs, 1000);
  for (const text of [listing.id, listing.prefix, `${listing.prefix}…`, key])
    assert.equal((await findKey(storage.read, text)).id, listing.id);
  await assert.rejects(findKey(storage.read, 'fc_'), { code: 'NOT_FOUND' });
});

onBothEngines('the key itself is not stored', async (_t, { storage }) => {
  const { id } = await createAccount(storage, 'acme');
  const { key } = await createKey(storage, { accountId: id, name: 'one', createdBy: null });
  const rows = JSON.stringify(await storage.read.selectFrom('api_keys').selectAll().execute());
  assert.ok(!rows.includes(key.slice(10)));
});

onBothEngines('a key is refused for an unknown account or an expiry in the past', async (_t, { storage }) => {
  const { id } = await createAccount(storage, 'acme');
  await assert.rejects(createKey(storage, { accountId: 'nobody', name: 'x', createdBy: null }), { code: 'NOT_FOUND' });
  const past = { accountId: id, name: 'x', createdBy: null, expiresAtMs: 5 };
  await assert.rejects(createKey(storage, past), { code: 'INVALID_REQUEST' });
  assert.deepEqual(await listKeys(storage.read, id), []);
});

onBothEngines('a vocabulary is replaced as a whole, in order', async (_t, { storage }) => {
  const { id } = await createAccount(storage, 'acme');
  await setVocabulary(storage, id, ['b', 'a', 'b', ' c ']);
  assert.deepEqual(await listVocabulary(storage.read, id), ['b', 'a', 'c']);
  await assert.rejects(setVocabulary(storage, id, ['x'.repeat(101)]), { code: 'INVALID_REQUEST' });
  const many = Array.from({ length: 501 }, (_, n) => `term ${n}`);
  await assert.rejects(setVocabulary(storage, id, many), { code: 'INVALID_REQUEST' });
  assert.deepEqual(await listVocabulary(storage.read, id), ['b', 'a', 'c']);
  await setVocabulary(storage, id, many.slice(1));
  assert.equal((await listVocabulary(storage.read, id)).length, 500);
  await setVocabulary(storage, id, []);
  assert.deepEqual(await listVocabulary(storage.read, id), []);
});
