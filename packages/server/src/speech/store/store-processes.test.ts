import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CATALOGUE, NEVER, openFixture, type StoreFixture } from './testing/store-fixture.ts';

const startProcess = async ({ folder, env }: StoreFixture): Promise<ChildProcess> => {
  const cataloguePath = join(folder, 'catalogue.json');
  await writeFile(cataloguePath, JSON.stringify({ models: CATALOGUE }));
  const entry = fileURLToPath(new URL('./testing/ensure-entry.js', import.meta.url));
  return fork(entry, [join(folder, 'models'), cataloguePath, 'toy'], { env, execArgv: [] });
};

test('two processes that start together pull once', async (t) => {
  const made = await openFixture(t);
  const children = await Promise.all([startProcess(made), startProcess(made)]);
  const exits = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(exits, [
    [0, null],
    [0, null],
  ]);
  assert.equal(made.registry.ranges.length, 1);
  assert.deepEqual(await made.store().verify(['toy'], NEVER), []);
});

test('after a process is killed during a download, another takes its lock and resumes', async (t) => {
  const made = await openFixture(t, { mishaps: ['stall'] });
  const child = await startProcess(made);
  await made.registry.stalled();
  const part = join(made.folder, 'models', '.downloads', 'toy-weights-1.2.3.tgz.part');
  // Wait until part of the response has reached the disk.
  while (((await stat(part).catch(() => null))?.size ?? 0) === 0) await delay(10);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await made.store().ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await made.store().verify(['toy'], NEVER), []);
  assert.match(made.registry.ranges[1] ?? '', /^bytes=[1-9]/);
});

test('an interrupted pull stops at once and releases the lock', async (t) => {
  const { store, registry } = await openFixture(t, { mishaps: ['stall'] });
  const controller = new AbortController();
  const pulling = store().ensure(['toy'], 'quick', controller.signal);
  await registry.stalled();
  controller.abort(new Error('interrupted'));
  await assert.rejects(pulling, /interrupted/);
  await store().ensure(['toy'], 'quick', NEVER);
  assert.equal(await store().state('toy'), 'ready');
});
