// Tests `faircopy worker` as an operator runs it, with real models where available.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { openGateway } from '../../src/cluster/testing/parties.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { neededModels } from '../../src/speech/store/needed.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { storedModels } from '../../src/speech/testing/stored-models.ts';
import { BIN } from '../cli/run-cli.ts';

const TIER = 'svc-1.0-lite';
const stored = await storedModels(neededModels([TIER]));
const skip = natsAbsence || ('skip' in stored && stored.skip);

/** The match in the first line that contains the pattern. */
const lineOf = async (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> => {
  for await (const line of createInterface(child.stdout!)) {
    const match = pattern.exec(line);
    if (match) return match;
  }
  throw new Error(`no line had ${pattern}`);
};

test('a worker needs only the models and NATS_URL, serves health and metrics, and drains on SIGTERM', {
  skip,
}, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const env = { ...process.env, NATS_URL: nats.url, PORT: '0', FAIRCOPY_MODELS: TIER, FAIRCOPY_RECOGNISERS: '1' };
  const child = spawn(process.execPath, [BIN, 'worker'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const [, address] = await lineOf(child, /health +(http\S+)/);
  const { pool, until } = await openGateway(t, nats.url, { version: VERSION });
  await until(() => pool.credits === 1);
  assert.equal((await fetch(`${address}/healthz`)).status, 200);
  assert.equal((await fetch(`${address}/readyz`)).status, 200);
  assert.equal((await fetch(`${address}/v1/transcribe`, { method: 'POST' })).status, 404);
  const silence = windowOf({ tier: TIER, samples: new Float32Array(32_000) });
  assert.equal((await pool.recognise(silence, new AbortController().signal)).text, '');
  const page = await (await fetch(`${address}/metrics`)).text();
  assert.match(page, /faircopy_worker_windows_total\{model="svc-1\.0-lite",outcome="done"\} 1/);
  assert.match(page, /faircopy_recogniser_slots 1/);
  const running = pool.recognise({ ...silence, samples: new Float32Array(320_000) }, new AbortController().signal);
  await until(() => pool.workers[0]?.state.busy === 1 || pool.running === 0);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  assert.equal((await running).text, '');
  assert.deepEqual(await exited, [0, null]);
});

test('a worker without NATS_URL or recognisers exits with a message', async () => {
  const run = (env: Record<string, string>) =>
    new Promise<[unknown, string]>((resolve) => {
      const options = { env: { ...process.env, ...env } };
      execFile(process.execPath, [BIN, 'worker'], options, (error, _stdout, stderr) => resolve([error?.code, stderr]));
    });
  const [code, said] = await run({ NATS_URL: '' });
  assert.deepEqual([code, /needs NATS_URL/.test(said)], [78, true]);
  const [other, why] = await run({ NATS_URL: 'nats://127.0.0.1:4222', FAIRCOPY_RECOGNISERS: 'none' });
  assert.deepEqual([other, /without recognisers/.test(why)], [78, true]);
});

test('without NATS_URL, NATS is not loaded', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-alone-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const script = fileURLToPath(new URL('./alone-process.js', import.meta.url));
  const env = { ...process.env, FAIRCOPY_DATA_DIR: folder, DATABASE_URL: '' };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [script], { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
  assert.equal(output, '[]');
});
