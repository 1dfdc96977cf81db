import assert from 'node:assert/strict';
import test from 'node:test';
import { ClientSecrets } from './client-secrets.ts';

test('a client secret opens to its key until it ends, and only with the same server secret', () => {
  const secrets = new ClientSecrets('one');
  const sealed = secrets.seal('fc_key', 1_000);
  assert.match(sealed, /^ek_[\w-]+$/);
  assert.ok(!sealed.includes('fc_key'));
  assert.equal(secrets.open(sealed, 999), 'fc_key');
  assert.equal(secrets.open(sealed, 1_000), null);
  assert.equal(new ClientSecrets('two').open(sealed, 1), null);
  assert.equal(secrets.open(`${sealed.slice(0, -2)}AA`, 1), null);
  assert.equal(secrets.open('ek_short', 1), null);
  assert.equal(secrets.open('fc_plain', 1), 'fc_plain');
});
