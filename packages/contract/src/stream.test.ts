import assert from 'node:assert/strict';
import test from 'node:test';
import { streamParameters } from './stream.ts';

test('an invalid parameter gets a message with the allowed values', () => {
  const messageFor = (parameters: Record<string, string>): string | undefined =>
    streamParameters.safeParse({ model: 'svc-1.0-lite', ...parameters }).error?.issues[0]?.message;
  assert.equal(messageFor({ sample_rate: '7999' }), 'must be from 8000 to 48000');
  assert.equal(messageFor({ sample_rate: '48001' }), 'must be from 8000 to 48000');
  assert.equal(messageFor({ sample_rate: '1e4' }), 'must be a whole number');
  assert.equal(messageFor({ channels: '3' }), 'must be from 1 to 2');
  assert.equal(messageFor({ encoding: 'opus' }), 'must be pcm16');
  assert.equal(messageFor({ sample_rate: '8000', channels: '2', encoding: 'pcm16' }), undefined);
});
