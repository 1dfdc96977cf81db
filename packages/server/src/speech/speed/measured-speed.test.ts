import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { machineKind, readSpeed, writeSpeed } from './measured-speed.ts';

test('every kind of machine that shares a store has its own speed, up to a limit', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-speed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const here = machineKind('cpu');
  assert.notEqual(here, machineKind('cuda'));
  assert.equal(await readSpeed(folder, here), null);
  await writeSpeed(folder, here, 3.5);
  await writeSpeed(folder, 'another', 30);
  await writeSpeed(folder, here, 4);
  assert.deepEqual([await readSpeed(folder, here), await readSpeed(folder, 'another')], [4, 30]);
  for (let nth = 0; nth < 64; nth++) await writeSpeed(folder, `machine ${nth}`, 1 + nth);
  assert.deepEqual([await readSpeed(folder, here), await readSpeed(folder, 'machine 63')], [null, 64]);
  await writeFile(join(folder, 'speed.json'), '{"cut');
  assert.equal(await readSpeed(folder, 'machine 63'), null);
});
