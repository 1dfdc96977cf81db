// Shutdown: running requests may finish, new ones are refused, and the process ends cleanly.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { BIN } from '../cli/run-cli.ts';
import { file, form, MODEL, wavOf } from './forms.ts';
import { failure, startService, success } from './service.ts';

const BODY = form(MODEL, file(wavOf(spoken(['apple']))));

test('a request that is running when the service stops is finished and answered', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const service = await startService(t, { engine, config: { shutdownGraceMs: 60_000 } });
  const pending = service.post(BODY);
  await engine.until(({ running }) => running === 1);
  const closed = service.app.close();
  assert.equal(service.app.readiness.state, 'draining');
  await assert.rejects(fetch(`${service.url}/healthz`), 'no new connections');
  engine.release();
  assert.equal((await success(await pending)).result.transcript, 'apple');
  await closed;
});

test('a request that does not end within the grace period is answered with 503 and not billed', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const service = await startService(t, { engine, config: { shutdownGraceMs: 0 } });
  const pending = service.post(BODY);
  await engine.until(({ running }) => running === 1);
  const events: unknown[] = [];
  const { http } = service.app;
  http.server.once('close', () => events.push('server closed'));
  const closed = service.app.close();
  const response = await pending;
  assert.equal(response.status, 503);
  assert.equal((await failure(response)).error.code, 'SERVICE_UNAVAILABLE');
  await closed;
  assert.deepEqual(events, ['server closed']);
  assert.equal(engine.running, 0);
});

/** Runs `faircopy serve` where no models can be loaded: it listens, keeps trying, and can be stopped meanwhile. */
const serve = async (
  t: TestContext,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; output: () => string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-serve-'));
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PORT: '0',
      FAIRCOPY_DATA_DIR: join(folder, 'data'),
      FAIRCOPY_MODELS_DIR: join(folder, 'models'),
      // Nothing answers there, so pulling continues until it is stopped or fails.
      npm_config_registry: 'http://127.0.0.1:9/',
      HF_ENDPOINT: 'http://127.0.0.1:9',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const gather = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout!.on('data', gather);
  child.stderr!.on('data', gather);
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });
  return { child, output: () => text };
};

const exitOf = async (child: ChildProcess): Promise<number | null> =>
  child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];

const outputHas = async (child: ChildProcess, output: () => string, what: RegExp): Promise<void> => {
  while (!what.test(output()))
    await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), once(child, 'exit')]);
};

test('serve reports all configuration errors at once and exits with 78', async (t) => {
  const { child, output } = await serve(t, { PORT: 'eighty', LOG_LEVEL: 'loud' });
  assert.equal(await exitOf(child), 78);
  assert.match(output(), /PORT/);
  assert.match(output(), /LOG_LEVEL/);
});

test('serve listens before the models are loaded, logs its progress, and exits with 0 on SIGTERM', async (t) => {
  const { child, output } = await serve(t, {});
  await outputHas(child, output, /address +http:\/\/localhost:\d+/);
  child.kill('SIGTERM');
  assert.equal(await exitOf(child), 0, output());
});
