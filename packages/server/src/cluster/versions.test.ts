import assert from 'node:assert/strict';
import test from 'node:test';
import { isCompatible } from './versions.ts';

test('adjacent minor versions are compatible, others are not', () => {
  for (const version of ['1.3.0', '1.4.9', '1.5.0-rc.1']) assert.ok(isCompatible('1.4.2', version), version);
  for (const version of ['1.2.9', '1.6.0', '2.4.2', '0.4.2', '', 'latest', '1.4', '1e9.4.0'])
    assert.ok(!isCompatible('1.4.2', version), version);
});
