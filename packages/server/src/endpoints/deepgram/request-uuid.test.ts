import assert from 'node:assert/strict';
import test from 'node:test';
import { requestUuid } from './request-uuid.ts';

test('a ULID and its UUID have the same bits', () => {
  assert.equal(requestUuid('00000000000000000000000000'), '00000000-0000-0000-0000-000000000000');
  assert.equal(requestUuid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  assert.equal(requestUuid('00000000000000000000000010'), '00000000-0000-0000-0000-000000000020');
});
