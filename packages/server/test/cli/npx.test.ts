// `npx faircopy serve` stops on SIGTERM, although npx does not pass the signal on.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { neededModels } from '../../src/speech/store/needed.ts';
import { storedModels } from '../../src/speech/testing/stored-models.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const TIER = 'svc-1.0-lite';
const stored = await storedModels(neededModels([TIER]));

test('SIGTERM to npx stops the server', { skip: 'skip' in stored && stored.skip, timeout: 120_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-npx-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = { FAIRCOPY_DATA_DIR: folder, DATABASE_URL: '', PORT: '0', FAIRCOPY_MODELS: TIER, LOG_LEVEL: 'info' };
  const npx = spawn('npx', ['--no-install', 'faircopy', 'serve'], {
    cwd: ROOT,
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that nothing is left behind if the test fails.
    detached: true,
  });
  let isOver = false;
  t.after(() => {
    if (!isOver) process.kill(-npx.pid!, 'SIGKILL');
  });
  const said: string[] = [];
  const errors = createInterface(npx.stderr);
  errors.on('line', (line) => said.push(line));
  for await (const line of createInterface(npx.stdout)) if (line.includes('address')) break;
  npx.kill('SIGTERM');
  // The server holds the other end of this pipe until it has exited.
  await new Promise((resolve) => errors.once('close', resolve));
  isOver = true;
  assert.ok(
    said.some((line) => line.includes('stopping; running requests may finish')),
    said.join('\n'),
  );
  // The server was stopped while it loaded its models: an incomplete start is not logged as a failure.
  assert.doesNotMatch(said.join('\n'), /"level":"(?:error|fatal)"/);
});
