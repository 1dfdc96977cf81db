import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { PasswordHasher } from './password-hasher.ts';

const hasherOf = (t: TestContext): PasswordHasher => {
  const hasher = new PasswordHasher();
  t.after(() => hasher.close());
  return hasher;
};

test('a hash verifies only its own password, and no two are equal', async (t) => {
  const hasher = hasherOf(t);
  const hash = await hasher.hash('a long enough one');
  assert.notEqual(hash, await hasher.hash('a long enough one'));
  assert.equal(await hasher.verify({ hash, password: 'a long enough one' }), true);
  assert.equal(await hasher.verify({ hash, password: 'another one' }), false);
  await assert.rejects(hasher.verify({ hash: 'nonsense', password: 'x' }));
});

test('hashes of the sign-in library verify', async (t) => {
  const { hashPassword } = await import('better-auth/crypto');
  const hash = await hashPassword('a long enough one');
  assert.equal(await hasherOf(t).verify({ hash, password: 'a long enough one' }), true);
});

test('a flood is refused with Retry-After, and queued passwords are hashed', async (t) => {
  const hasher = hasherOf(t);
  const attempts = await Promise.allSettled(Array.from({ length: 60 }, () => hasher.hash('x')));
  const refused = attempts.filter((attempt) => attempt.status === 'rejected');
  assert.equal(refused.length, 40);
  for (const { reason } of refused) {
    assert.equal(reason.code, 'SERVICE_UNAVAILABLE');
    assert.ok(reason.retryAfterSeconds >= 1);
  }
  assert.ok(await hasher.hash('x'));
});

test('when the thread dies, pending requests fail and the next password is hashed', async (t) => {
  const hasher = hasherOf(t);
  const waiting = hasher.hash('x');
  await hasher.close();
  await assert.rejects(waiting);
  assert.ok(await hasher.hash('x'));
});
