import assert from 'node:assert/strict';
import test from 'node:test';
import { usageSettings } from './settings.ts';

const { schema } = usageSettings.settings.prices;

test('a price is one for every model, or one per model', () => {
  assert.deepEqual(schema.parse('EUR 0.40'), {
    currency: 'EUR',
    per_hour: { 'svc-1.0-lite': 0.4, 'svc-1.0-pro': 0.4, 'svc-1.0-max': 0.4 },
  });
  assert.deepEqual(schema.parse('USD svc-1.0-lite=0.2 svc-1.0-max=1'), {
    currency: 'USD',
    per_hour: { 'svc-1.0-lite': 0.2, 'svc-1.0-max': 1 },
  });
  assert.equal(schema.parse(undefined), undefined);
});

test('anything else is refused with an example', () => {
  for (const text of ['0.40', 'EUR', 'eur 1', 'EUR max=1', 'EUR -1', 'EUR svc-1.0-max='])
    assert.match(JSON.stringify(schema.safeParse(text).error?.issues), /must be like .*EUR 0\.40/, text);
});
