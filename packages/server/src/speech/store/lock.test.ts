import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { acquireStoreLock } from './lock.ts';

const scratch = async (t: TestContext): Promise<string> => {
  const folder = await fs.mkdtemp(join(tmpdir(), 'faircopy-lock-'));
  t.after(() => fs.rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Rejects instead of waiting for another lock. */
const acquireAtOnce = (folder: string) => {
  const controller = new AbortController();
  const onWait = () => controller.abort(new Error('it is held'));
  return acquireStoreLock(folder, { signal: controller.signal, onWait });
};

const HELD = { name: 'AbortError' };
const MINUTE_AGO = new Date(Date.now() - 60_000);

for (const [name, content] of [
  ['even an empty one', ''],
  ['even a zeroed one', '\0'.repeat(100)],
  ['such as that of another host', '{"token":"x","pid":1,"host":"another"}'],
]) {
  test(`a silent lock is taken over, ${name}`, async (t) => {
    const folder = await scratch(t);
    const path = join(folder, '.lock');
    await fs.writeFile(path, content!);
    await assert.rejects(acquireAtOnce(folder), HELD);
    await fs.utimes(path, MINUTE_AGO, MINUTE_AGO);
    const lock = await acquireAtOnce(folder);
    await assert.rejects(acquireAtOnce(folder), HELD);
    await lock.release();
    assert.deepEqual(await fs.readdir(folder), []);
  });
}

test('a lock that is taken after a long wait is not silent', async (t) => {
  const folder = await scratch(t);
  const first = await acquireAtOnce(folder);
  let second: ReturnType<typeof acquireStoreLock> | undefined;
  await new Promise<void>((onWait) => {
    second = acquireStoreLock(folder, { onWait });
  });
  const draft = (await fs.readdir(folder)).find((name) => name !== '.lock')!;
  await fs.utimes(join(folder, draft), MINUTE_AGO, MINUTE_AGO);
  await first.release();
  const lock = await second!;
  await assert.rejects(acquireAtOnce(folder), HELD);
  await lock.release();
});

for (const [code, message] of [
  ['EPERM', /^The model store cannot be locked with .*: its file system has no hard links \(EPERM\)/],
  ['EIO', /^EIO: from a test$/],
] as const) {
  test(`a lock that cannot be created is an error at once: ${code}`, async (t) => {
    const folder = await scratch(t);
    // No file system of a test machine refuses hard links.
    const mocked = t.mock.method(fs, 'link', async () => {
      throw Object.assign(new Error(`${code}: from a test`), { code });
    });
    syncBuiltinESMExports();
    t.after(() => {
      mocked.mock.restore();
      syncBuiltinESMExports();
    });
    await assert.rejects(acquireAtOnce(folder), { message });
    assert.deepEqual(await fs.readdir(folder), []);
  });
}
