import assert from 'node:assert/strict';
import test from 'node:test';
import { streamParameters } from './stream.ts';

test('a parameter that is not allowed is told what is', () => {
  const complaint = (parameters: Record<string, string>): string | undefined =>
    streamParameters.safeParse({ model: 'svc-1.0-lite', ...parameters }).error?.issues[0]?.message;
  assert.equal(complaint({ sample_rate: '7999' }), 'must be from 8000 to 48000');
  assert.equal(complaint({ sample_rate: '48001' }), 'must be from 8000 to 48000');
  assert.equal(complaint({ sample_rate: '1e4' }), 'must be a whole number');
  assert.equal(complaint({ channels: '3' }), 'must be from 1 to 2');
  assert.equal(complaint({ encoding: 'opus' }), 'must be pcm16');
  assert.equal(complaint({ sample_rate: '8000', channels: '2', encoding: 'pcm16' }), undefined);
});
