import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from './run-cli.ts';

test('an unknown model is a usage error', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-cli-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  for (const command of ['verify', 'pull', 'remove']) {
    const { code, stderr } = await runCli({ dataDir }, 'models', command, 'nope');
    assert.equal(code, 64, `${command}: ${stderr}`);
    assert.match(stderr, /There is no model "nope"\. Known: /);
  }
});
