import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestByteSign } from './processor.ts';

const flags = (names: string) => () => `processor\t: 0\nflags\t\t: fpu avx2 ${names} sse4_2\n`;

test('signed bytes are best where their products are exact', () => {
  assert.equal(bestByteSign('x64', flags('avx512f avx512_vnni')), 'signed');
  assert.equal(bestByteSign('x64', flags('avx_vnni')), 'signed');
});

test('only unsigned bytes are exact where sums may saturate, or where the processor is unknown', () => {
  assert.equal(bestByteSign('x64', flags('avx512f')), 'unsigned');
  assert.equal(
    bestByteSign('x64', () => ''),
    'unsigned',
  );
});

test('on other processors both are exact', () => {
  assert.equal(
    bestByteSign('arm64', () => 'Features\t: fp asimd i8mm\n'),
    null,
  );
});
