import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import type { Catalogue } from './catalogue.ts';
import type { Compile } from './compile.ts';
import { ModelStoreFault } from './fault.ts';
import { npmSource } from './npm-source.ts';
import { ModelStore, type ModelStoreOptions } from './store.ts';
import { type FakeRegistry, fakeRegistry, type Mishap, packTarball } from './testing/fake-registry.ts';
import { webSource } from './web-source.ts';

const WEIGHTS = randomBytes(400_000);
const TABLE = Buffer.from('{"a":1}');
const NEVER = new AbortController().signal;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const CATALOGUE: Catalogue = [
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

const GOOD = { 'package/deep/weights.onnx': WEIGHTS, 'package/table.json': TABLE, 'package/package.json': TABLE };

interface Bench {
  readonly folder: string;
  readonly registry: FakeRegistry;
  readonly env: NodeJS.ProcessEnv;
  store(options?: Partial<ModelStoreOptions>): ModelStore;
}

const bench = async (
  t: TestContext,
  options: { files?: Record<string, Uint8Array>; hub?: Uint8Array; mishaps?: Mishap[] } = {},
): Promise<Bench> => {
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
      // The small table, which no test damages without a trace.
      random: () => 0.5,
      ...more,
    });
  return { folder, registry, env, store };
};

test('a model is pulled from its npm tarball, only the needed files are kept, and a second start fetches nothing', async (t) => {
  const { store, registry } = await bench(t);
  assert.equal(await store().state('toy'), 'missing');
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual((await readdir(store().folderOf('toy'))).sort(), ['record.json', 'table.json', 'weights.onnx']);
  assert.deepEqual(await readFile(join(store().folderOf('toy'), 'weights.onnx')), WEIGHTS);
  assert.equal(await store().state('toy'), 'ready');
  await store().ensure(['toy'], 'quick', NEVER);
  assert.equal(registry.ranges.length, 1);
  assert.deepEqual(await readdir(join(store().folderOf('toy'), '..')), ['toy']);
});

test('a broken connection is resumed where it broke off', async (t) => {
  const { store, registry } = await bench(t, { mishaps: ['cut'] });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await store().verify(['toy'], NEVER), []);
  assert.equal(registry.ranges[0], '');
  assert.match(registry.ranges[1] ?? '', /^bytes=[1-9]/);
});

test('when the plain download is refused, npm itself fetches the tarball', async (t) => {
  const { store, registry } = await bench(t, { mishaps: ['refuse'] });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.equal(await store().state('toy'), 'ready');
  assert.equal(registry.ranges.length, 2);
});

test('garbled bytes never enter the store; the next way is tried', async (t) => {
  const { store } = await bench(t, { mishaps: ['garble'] });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await store().verify(['toy'], NEVER), []);
});

test('a package with other bytes falls back to the hub, file by file', async (t) => {
  const { store, registry } = await bench(t, {
    files: { ...GOOD, 'package/deep/weights.onnx': randomBytes(WEIGHTS.length) },
    hub: WEIGHTS,
    mishaps: ['none', 'cut'],
  });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await readFile(join(store().folderOf('toy'), 'weights.onnx')), WEIGHTS);
  assert.equal(registry.ranges.length, 3);
});

test('a file nobody has is named with the reasons and the command that mends it', async (t) => {
  const { store } = await bench(t, { files: { 'package/table.json': TABLE } });
  await assert.rejects(store().ensure(['toy'], 'quick', NEVER), (thrown: unknown) => {
    assert.ok(thrown instanceof ModelStoreFault);
    assert.deepEqual(
      thrown.problems.map(({ file, problem }) => [file, problem]),
      [['weights.onnx', 'missing']],
    );
    assert.match(thrown.message, /npm: not there/);
    assert.match(thrown.message, /Hugging Face: the server answered 404/);
    assert.match(thrown.message, /npx faircopy models pull toy/);
    return true;
  });
  assert.equal(await store().state('toy'), 'missing');
});

test('damage is found by reading every byte, and mended by a thorough pull', async (t) => {
  const { store, registry } = await bench(t);
  await store().ensure(['toy'], 'quick', NEVER);
  const path = join(store().folderOf('toy'), 'weights.onnx');
  const before = await stat(path);
  const file = await open(path, 'r+');
  await file.write(Buffer.from([WEIGHTS[1000]! ^ 1]), 0, 1, 1000);
  await file.close();
  await utimes(path, before.atime, before.mtime);
  assert.deepEqual(await store().verify(['toy'], NEVER), [
    { weightsId: 'toy', file: 'weights.onnx', problem: 'damaged' },
  ]);
  await store().ensure(['toy'], 'thorough', NEVER);
  assert.deepEqual(await store().verify(['toy'], NEVER), []);
  assert.equal(registry.ranges.length, 2);
});

test('a truncated file is seen without reading it', async (t) => {
  const { store } = await bench(t);
  await store().ensure(['toy'], 'quick', NEVER);
  await writeFile(join(store().folderOf('toy'), 'weights.onnx'), WEIGHTS.subarray(0, 1000));
  assert.equal(await store().state('toy'), 'damaged');
});

test('files put there by hand are adopted without a network', async (t) => {
  const { store, registry } = await bench(t);
  await store().ensure(['toy'], 'quick', NEVER);
  await rm(join(store().folderOf('toy'), 'record.json'));
  await registry.close();
  await store({ sources: [] }).ensure(['toy'], 'quick', NEVER);
  assert.equal(await store().state('toy'), 'ready');
});

test('compilation runs once, is recorded, and its damage is found and repaired', async (t) => {
  const { store } = await bench(t);
  let runs = 0;
  const compiled = store({
    needsCompiling: () => true,
    compile: async (_model, source, target) => {
      if (!target.includes('.verify')) runs++;
      await writeFile(join(target, 'derived.onnx'), (await readFile(join(source, 'table.json'))).reverse());
    },
  });
  await compiled.ensure(['toy'], 'quick', NEVER);
  await compiled.ensure(['toy'], 'thorough', NEVER);
  assert.equal(runs, 1);
  const path = join(compiledFolder(compiled.folderOf('toy')), 'derived.onnx');
  await writeFile(path, 'nonsense');
  assert.equal(await compiled.state('toy'), 'unprepared');
  assert.match(JSON.stringify(await compiled.verify(['toy'], NEVER)), /prepared derived.onnx.*damaged/);
  await compiled.ensure(['toy'], 'quick', NEVER);
  assert.equal(runs, 2);
  assert.deepEqual(await compiled.verify(['toy'], NEVER), []);
});

/** Writes one file, made of the model's own. */
const reverse: Compile = async (_model, source, target) =>
  writeFile(join(target, 'derived.onnx'), (await readFile(join(source, 'table.json'))).reverse());

test('a compiled graph that was changed together with the record is found, and the next start compiles it anew', async (t) => {
  const { store } = await bench(t);
  const compiled = store({ needsCompiling: () => true, compile: reverse });
  await compiled.ensure(['toy'], 'quick', NEVER);
  const folder = compiled.folderOf('toy');
  const path = join(compiledFolder(folder), 'derived.onnx');
  const honest = await readFile(path);
  await writeFile(path, Buffer.from(honest).reverse());
  const recordPath = join(folder, 'record.json');
  const { mtimeMs } = await stat(path);
  const forged = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const record = JSON.parse(await readFile(recordPath, 'utf8'));
  for (const kind of Object.values<Record<string, object>>(record.prepared))
    Object.assign(kind['derived.onnx']!, { mtimeMs, sha256: forged });
  await writeFile(recordPath, JSON.stringify(record));
  assert.equal(await compiled.state('toy'), 'ready', 'the record believes it');
  assert.deepEqual(await compiled.verify(['toy'], NEVER), [
    { weightsId: 'toy', file: 'prepared derived.onnx', problem: 'damaged' },
  ]);
  await compiled.ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await readFile(path), honest);
  assert.deepEqual(await compiled.verify(['toy'], NEVER), []);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('verify')),
    [],
  );
});

test('damage that leaves size and time as they were is found by the samples of starts, and repaired', async (t) => {
  const { store } = await bench(t);
  for (const [at, name] of [
    [0, 'weights.onnx'],
    [0.99, 'derived.onnx'],
  ] as const) {
    const compiled = store({ needsCompiling: () => true, compile: reverse, random: () => at });
    await compiled.ensure(['toy'], 'quick', NEVER);
    const folder = compiled.folderOf('toy');
    const path = at === 0 ? join(folder, name) : join(compiledFolder(folder), name);
    const [honest, { atime, mtime }] = [await readFile(path), await stat(path)];
    const damaged = Buffer.from(honest);
    damaged[0]! ^= 1;
    await writeFile(path, damaged);
    await utimes(path, atime, mtime);
    await compiled.ensure(['toy'], 'quick', NEVER);
    assert.deepEqual(await readFile(path), honest, name);
  }
});

test('a failed compilation leaves the model unprepared', async (t) => {
  const { store } = await bench(t);
  const failing = store({
    needsCompiling: () => true,
    compile: async (_model, _source, target) => {
      await writeFile(join(target, 'half.onnx'), 'half');
      throw new Error('out of memory');
    },
  });
  await assert.rejects(failing.ensure(['toy'], 'quick', NEVER), /out of memory/);
  assert.equal(await failing.state('toy'), 'unprepared');
});

const startProcess = async ({ folder, env }: Bench): Promise<ChildProcess> => {
  const cataloguePath = join(folder, 'catalogue.json');
  await writeFile(cataloguePath, JSON.stringify({ models: CATALOGUE }));
  const entry = fileURLToPath(new URL('./testing/ensure-entry.js', import.meta.url));
  return fork(entry, [join(folder, 'models'), cataloguePath, 'toy'], { env, execArgv: [] });
};

test('two processes that start together pull once', async (t) => {
  const made = await bench(t);
  const children = await Promise.all([startProcess(made), startProcess(made)]);
  const exits = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(exits, [
    [0, null],
    [0, null],
  ]);
  assert.equal(made.registry.ranges.length, 1);
  assert.deepEqual(await made.store().verify(['toy'], NEVER), []);
});

test('a process killed in the middle of a download is taken over and its download resumed', async (t) => {
  const made = await bench(t, { mishaps: ['stall'] });
  const child = await startProcess(made);
  await made.registry.stalled();
  const part = join(made.folder, 'models', '.downloads', 'toy-weights-1.2.3.tgz.part');
  // The answer is under way; what counts is that some of it has reached the disk.
  while (((await stat(part).catch(() => null))?.size ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await made.store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await made.store().verify(['toy'], NEVER), []);
  assert.match(made.registry.ranges[1] ?? '', /^bytes=[1-9]/);
});

test('an interrupted pull stops at once and gives the lock back', async (t) => {
  const { store, registry } = await bench(t, { mishaps: ['stall'] });
  const controller = new AbortController();
  const pulling = store().ensure(['toy'], 'quick', controller.signal);
  await registry.stalled();
  controller.abort(new Error('interrupted'));
  await assert.rejects(pulling, /interrupted/);
  await store().ensure(['toy'], 'quick', NEVER);
  assert.equal(await store().state('toy'), 'ready');
});
