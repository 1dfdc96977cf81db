import assert from 'node:assert/strict';
import test from 'node:test';
import { clientPublicKeyOf, readClientSecret, signClientSecret } from './client-secrets.ts';
import { hashOfKey, newKey } from './key-format.ts';

const KEY = newKey();
const OTHER = newKey();

test('a client secret contains the hash of its key and its expiry, and is signed', () => {
  const secret = signClientSecret(KEY, 1_000);
  assert.match(secret, /^ek_[\w-]+$/);
  const read = readClientSecret(secret)!;
  assert.equal(read.keyHash, hashOfKey(KEY));
  assert.equal(read.expiresAtMs, 1_000);
  assert.ok(read.isSignedBy(clientPublicKeyOf(KEY)));
  assert.ok(!read.isSignedBy(clientPublicKeyOf(OTHER)));
});

test('a client secret with any changed byte is rejected', () => {
  const bytes = Buffer.from(signClientSecret(KEY, 1_000).slice(3), 'base64url');
  const publicKey = clientPublicKeyOf(KEY);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    assert.equal(readClientSecret(`ek_${changed.toString('base64url')}`)!.isSignedBy(publicKey), false, `byte ${at}`);
  }
});

test('malformed secrets are recognised without a look-up', () => {
  const secret = signClientSecret(KEY, 1_000);
  for (const text of ['', 'ek_', 'ek_short', secret.slice(0, -4), `${secret}AAAA`, secret.slice(3), KEY])
    assert.equal(readClientSecret(text), null, text);
});

test('a client secret contains only the hash, the expiry and the signature', () => {
  const bytes = Buffer.from(signClientSecret(KEY, 1_000).slice(3), 'base64url');
  assert.equal(bytes.length, 32 + 8 + 64);
});
