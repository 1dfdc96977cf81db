// Every claim of the threat model names a test that exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { KEY_LIMITS } from '../../src/accounts/keys/key-limits.ts';

/** Compiled tests are one folder deeper than their source. */
const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const page = readFileSync(join(root, 'docs', 'internals', 'threat-model.md'), 'utf8');
const claims = page
  .split('## What is defended\n')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| claim'));

test('each claim names at least one test, and each named test exists', () => {
  assert.ok(claims.length >= 20, `${claims.length} claims`);
  for (const claim of claims) {
    const named = [...claim.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(([, path]) => path!);
    assert.ok(named.length > 0, claim);
    for (const path of named) assert.ok(existsSync(join(root, 'packages', 'server', path)), path);
  }
});

test('the numbers about keys match the code', () => {
  const numbers = Object.values(KEY_LIMITS);
  const claim = claims.find((line) => line.includes('valid keys'))!;
  for (const number of numbers) assert.match(claim, new RegExp(`\\b${number}\\b`));
});
