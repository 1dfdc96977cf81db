import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { configurationPage } from './config-page.ts';

test('docs/configuration.md says what the settings are (else: npm run docs:configuration)', async () => {
  const page = await readFile(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
  assert.equal(page, configurationPage());
});
