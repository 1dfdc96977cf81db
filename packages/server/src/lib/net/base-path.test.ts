import assert from 'node:assert/strict';
import test from 'node:test';
import { basePathOf, withoutBasePath } from './base-path.ts';

test('the base path is the path of the public address', () => {
  assert.equal(basePathOf(undefined), '');
  assert.equal(basePathOf('https://example.com'), '');
  assert.equal(basePathOf('https://example.com/'), '');
  assert.equal(basePathOf('https://example.com/a/speech/'), '/a/speech');
});

test('the base path is removed where a proxy kept it, and nowhere else', () => {
  for (const [url, without] of [
    ['/speech/v1/transcribe?x=1', '/v1/transcribe?x=1'],
    ['/speech', '/'],
    ['/speech?x', '/?x'],
    ['/v1/transcribe', '/v1/transcribe'],
    ['/speeches/v1', '/speeches/v1'],
  ] as const)
    assert.equal(withoutBasePath(url, '/speech'), without);
});
