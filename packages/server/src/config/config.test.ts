import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigFault, parseConfig } from './config.ts';

test('an empty environment gives the defaults of the contract', () => {
  const config = parseConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.maxStreams, 10);
  assert.equal(config.maxDurationSeconds, 300);
  assert.deepEqual(config.models, ['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max']);
});

test('all faults are reported at once, each with its variable', () => {
  const read = () => parseConfig({ PORT: 'eighty', FAIRCOPY_MODELS: 'svc-9', DATABASE_URL: 'mysql://x' });
  assert.throws(read, (thrown: unknown) => {
    assert.ok(thrown instanceof ConfigFault);
    assert.equal(thrown.faults.length, 3);
    for (const name of ['PORT', 'FAIRCOPY_MODELS', 'DATABASE_URL']) assert.match(thrown.message, new RegExp(name));
    return true;
  });
});

test('a tier that does not exist is named, and so are those that do', () => {
  assert.throws(() => parseConfig({ FAIRCOPY_MODELS: 'svc-1.0-lite, zz' }), {
    message: /FAIRCOPY_MODELS: "zz" is no tier; there are svc-1\.0-lite, svc-1\.0-pro, svc-1\.0-max$/m,
  });
});

test('a time-out of zero is kept, since it means at once', () => {
  assert.equal(parseConfig({ FAIRCOPY_RECOGNITION_TIMEOUT_MS: '0' }).recognitionTimeoutMs, 0);
});

test('an empty variable counts as not set', () => {
  assert.equal(parseConfig({ PORT: '' }).port, 8080);
});
