// What a command does when its reader leaves early.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { BIN, emptyFolder } from './run-cli.ts';

test('a command ends silently when its reader leaves early, as head does', async (t) => {
  const dataDir = await emptyFolder(t);
  const child = spawn(process.execPath, [BIN, 'accounts', 'create', 'acme'], {
    env: { ...process.env, FAIRCOPY_DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(code, 0);
  assert.match(said, /^Created a new database in .*FAIRCOPY_DATA_DIR\.\n$/);
});
