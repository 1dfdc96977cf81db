import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { hashOfKey, isWellFormedKey, newKey, shownPrefix } from './key-format.ts';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const digit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

test('every secret gives a well-formed key of the same length', () => {
  fc.assert(
    fc.property(secret, (bytes) => {
      const key = newKey(bytes);
      assert.match(key, /^fc_[0-9A-Za-z]{49}$/);
      assert.ok(isWellFormedKey(key));
      assert.ok(key.startsWith(shownPrefix(key)));
    }),
  );
  assert.ok(isWellFormedKey(newKey(new Uint8Array(32))));
  assert.ok(isWellFormedKey(newKey(new Uint8Array(32).fill(255))));
});

test('different secrets give different keys and hashes', () => {
  fc.assert(
    fc.property(secret, secret, (a, b) => {
      fc.pre(Buffer.compare(a, b) !== 0);
      assert.notEqual(newKey(a), newKey(b));
      assert.notEqual(hashOfKey(newKey(a)), hashOfKey(newKey(b)));
    }),
  );
});

test('a wrong character is detected', () => {
  fc.assert(
    fc.property(secret, fc.nat({ max: 48 }), digit, (bytes, place, wrong) => {
      const key = newKey(bytes);
      const at = 3 + place;
      fc.pre(key[at] !== wrong);
      assert.equal(isWellFormedKey(key.slice(0, at) + wrong + key.slice(at + 1)), false);
    }),
  );
});

test('two swapped characters are detected', () => {
  fc.assert(
    fc.property(secret, fc.nat({ max: 47 }), (bytes, place) => {
      const key = newKey(bytes);
      const at = 3 + place;
      fc.pre(key[at] !== key[at + 1]);
      assert.equal(isWellFormedKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)), false);
    }),
  );
});

test('truncated, extended, padded, foreign and arbitrary texts are rejected', () => {
  const key = newKey();
  const texts = [
    '',
    'fc_',
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    `sk-${key.slice(3)}`,
  ];
  for (const text of texts) assert.equal(isWellFormedKey(text), false, JSON.stringify(text));
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => !isWellFormedKey(text)));
});
