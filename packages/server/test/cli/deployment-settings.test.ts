// Every setting in deploy/, compose.yaml and the Dockerfile exists.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../../src/app/config.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const KNOWN = new Set<string>(SETTINGS.map(([, { env }]) => env));
/** Variables of Compose, which passes them to NATS and, as NATS_PASSWORD, to the server. */
const OWN = new Set(['NATS_GATEWAY_PASSWORD', 'NATS_WORKER_PASSWORD']);

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(join(ROOT, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

test('every setting in a deployment file exists', async () => {
  const folders = await Promise.all(['container', 'kubernetes', 'systemd'].map((name) => filesBelow(`deploy/${name}`)));
  const paths = [...folders.flat(), join(ROOT, 'compose.yaml'), join(ROOT, 'Dockerfile')];
  let count = 0;
  for (const path of paths)
    for (const [name] of (await readFile(path, 'utf8'))
      .replaceAll(/#.*/g, '')
      .matchAll(/\b(?:FAIRCOPY|NATS|OTEL)_[A-Z_]+\b|\bDATABASE_URL\b/g)) {
      assert.ok(KNOWN.has(name) || OWN.has(name), `${path}: ${name}`);
      count += 1;
    }
  assert.ok(count > 20, `${count} settings found`);
});
