import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Catalogue } from './catalogue.ts';
import { ModelStoreFault } from './fault.ts';
import { importModelFile } from './import-file.ts';
import type { ModelStore } from './store.ts';
import { CATALOGUE, GOOD, NEVER, openFixture } from './testing/store-fixture.ts';

const LIBRARY = randomBytes(50_000);
const OFFSET = 12_345;
const PART = LIBRARY.subarray(OFFSET, OFFSET + 20_000);

const catalogueOf = (fileBytes: number): Catalogue => [
  {
    id: 'part',
    family: 'toy',
    about: 'a part of a library',
    licence: 'MIT',
    pins: 'checked',
    npm: CATALOGUE[0]!.npm,
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

const openStore = async (t: TestContext, catalogue: Catalogue): Promise<ModelStore> =>
  (await openFixture(t, { files: { ...GOOD, 'package/library.a': LIBRARY } })).store({ catalogue });

test('a model that is a part of a file in a tarball is extracted alone', async (t) => {
  const store = await openStore(t, catalogueOf(LIBRARY.length));
  await store.ensure(['part'], 'quick', NEVER);
  assert.equal(await store.state('part'), 'ready');
  assert.deepEqual(await readFile(join(store.folderOf('part'), 'part.ort')), PART);
  assert.deepEqual((await readdir(store.folderOf('part'))).sort(), ['part.ort', 'record.json']);
});

test('an enclosing file of another size is rejected', async (t) => {
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
