// Tests that loading the tagger's runtime writes nothing to the home folder.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

test('the runtime stores no device id for telemetry', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'faircopy-home-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const { ORT_DISABLE_TELEMETRY: _ours, XDG_CACHE_HOME: _cache, ...env } = process.env;
  const entry = new URL('./testing/load-entry.js', import.meta.url);
  const child = fork(entry, { env: { ...env, HOME: home } });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.deepEqual(await readdir(home), []);
});
