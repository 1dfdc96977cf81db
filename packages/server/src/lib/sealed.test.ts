import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { publicKeyOf, SealBroken, seal, sealFor, unseal, unsealWith } from './sealed.ts';

test('sealed bytes open only with their secret and purpose, and do not contain the plain text', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string(),
      fc.uint8Array({ maxLength: 2_000 }),
      (secret, purpose, plain) => {
        const sealed = seal(secret, purpose, plain);
        assert.deepEqual(unseal(secret, purpose, sealed), Buffer.from(plain));
        assert.throws(() => unseal(`${secret}x`, purpose, sealed), SealBroken);
        assert.throws(() => unseal(secret, `${purpose}x`, sealed), SealBroken);
        assert.ok(plain.length < 8 || !sealed.includes(Buffer.from(plain)));
      },
    ),
    { numRuns: 50 },
  );
});

test('a changed or missing byte is detected anywhere', () => {
  const sealed = seal('secret', 'a result', randomBytes(40));
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered[at]! ^= 1;
    assert.throws(() => unseal('secret', 'a result', altered), SealBroken);
    assert.throws(() => unseal('secret', 'a result', sealed.subarray(0, at)), SealBroken);
  }
});

test('the same bytes are sealed differently each time', () => {
  const plain = Buffer.from('the same words');
  assert.notDeepEqual(seal('secret', 'p', plain), seal('secret', 'p', plain));
});

test('bytes sealed for a public key open only with its secret', () => {
  const plain = Buffer.from('a transcript');
  const sealed = sealFor(publicKeyOf('the key', 'job 1'), 'job 1', plain);
  assert.deepEqual(unsealWith('the key', 'job 1', sealed), plain);
  assert.throws(() => unsealWith('another key', 'job 1', sealed), SealBroken);
  assert.throws(() => unsealWith('the key', 'job 2', sealed), SealBroken);
  assert.throws(() => unsealWith('the key', 'job 1', sealed.subarray(0, 20)), SealBroken);
});
