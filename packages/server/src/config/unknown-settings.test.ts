import assert from 'node:assert/strict';
import test from 'node:test';
import { declareSettings, setting } from './setting.ts';
import { unknownSettings } from './unknown-settings.ts';
import { text } from './values.ts';

const DECLARATIONS = [
  declareSettings({
    topic: 'Models',
    settings: { models: setting('FAIRCOPY_MODELS', text('all'), 'Models.') },
    dropped: { FAIRCOPY_THREADS: 'it follows from the cores' },
  }),
];

test('a mistyped setting is reported with a similar one', () => {
  const env = {
    FAIRCOPY_MODLES: 'x',
    FAIRCOPY_MODELS: 'y',
    FAIRCOPY_SERVICE_HOST: 'k8s',
    HOME: '/',
  };
  assert.deepEqual(unknownSettings(DECLARATIONS, env), [
    'FAIRCOPY_MODLES is not a setting: did you mean FAIRCOPY_MODELS?',
  ]);
  assert.deepEqual(unknownSettings(DECLARATIONS, env, ['FAIRCOPY_MODLES']), []);
});

test('a setting of an earlier release is reported with what to do instead, unless it is empty', () => {
  assert.deepEqual(unknownSettings(DECLARATIONS, { FAIRCOPY_THREADS: '2' }), [
    'FAIRCOPY_THREADS is no longer a setting and has no effect: it follows from the cores.',
  ]);
  assert.deepEqual(unknownSettings(DECLARATIONS, { FAIRCOPY_THREADS: '' }), []);
});
