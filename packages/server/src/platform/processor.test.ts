import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersSignedBytes } from './processor.ts';

const flags = (names: string) => () => `processor\t: 0\nflags\t\t: fpu avx2 ${names} sse4_2\n`;

test('signed bytes are preferred where their products are exact', () => {
  assert.equal(prefersSignedBytes('x64', flags('avx512f avx512_vnni')), true);
  assert.equal(prefersSignedBytes('x64', flags('avx_vnni')), true);
});

test('they are not where sums may be cut off, or nothing is known', () => {
  assert.equal(prefersSignedBytes('x64', flags('avx512f')), false);
  assert.equal(
    prefersSignedBytes('x64', () => ''),
    false,
  );
  assert.equal(
    prefersSignedBytes('arm64', () => 'Features\t: fp asimd i8mm\n'),
    false,
  );
});
