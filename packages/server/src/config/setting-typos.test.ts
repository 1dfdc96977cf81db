import assert from 'node:assert/strict';
import test from 'node:test';
import { mistypedSettings } from './setting-typos.ts';

test('settings that are mistyped are named with what was meant', () => {
  const env = {
    FAIRCOPY_MODLES: 'x',
    FAIRCOPY_MODELS: 'y',
    FAIRCOPY_URL: 'z',
    FAIRCOPY_SERVICE_HOST: 'k8s',
    HOME: '/',
  };
  assert.deepEqual(mistypedSettings(env), [{ name: 'FAIRCOPY_MODLES', meant: 'FAIRCOPY_MODELS' }]);
});
