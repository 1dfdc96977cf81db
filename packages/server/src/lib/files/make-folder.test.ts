import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { makeFolder } from './make-folder.ts';

test('creates the folder and its parents with the mode, and leaves existing folders unchanged', async (t) => {
  const base = await mkdtemp(join(tmpdir(), 'faircopy-folder-'));
  t.after(() => rm(base, { recursive: true, force: true }));
  await Promise.all([makeFolder(join(base, 'a', 'b'), 0o700), makeFolder(join(base, 'a', 'b'), 0o700)]);
  assert.equal((await stat(join(base, 'a', 'b'))).mode & 0o777, 0o700);
  await makeFolder(join(base, 'a'));
  assert.equal((await stat(join(base, 'a'))).mode & 0o777, 0o700);
  await writeFile(join(base, 'file'), '');
  await assert.rejects(makeFolder(join(base, 'file')), { code: 'ENOTDIR' });
  await assert.rejects(makeFolder(join(base, 'file', 'below')), { code: 'ENOTDIR' });
});

test('fails where no folder can be created', { skip: platform() !== 'linux' && 'there is no /proc' }, async () => {
  await assert.rejects(makeFolder('/proc/faircopy/data'), { code: 'ENOENT' });
});
