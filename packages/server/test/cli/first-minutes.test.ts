// What a new user may encounter: checks that change nothing, starts that fail, input that is not audio.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/cli/check/finding.ts';
import { emptyFolder, runCheck, runCliWith } from './run-cli.ts';

const run = (args: readonly string[], env: Record<string, string>, input?: Buffer) =>
  runCliWith({ env, ...(input && { input }) }, ...args);
const found = (findings: readonly Finding[], what: string) => findings.find((finding) => finding.what === what)!;

test('check creates nothing', async (t) => {
  const folder = await emptyFolder(t);
  const { findings } = await runCheck({
    FAIRCOPY_DATA_DIR: join(folder, 'data'),
    FAIRCOPY_MODELS_DIR: join(folder, 'models'),
  });
  assert.deepEqual(await readdir(folder), []);
  assert.equal(found(findings, 'database').verdict, 'ok');
  assert.match(found(findings, 'models').says, /missing.*models pull/);
  assert.match(
    found(findings, 'speakers').says,
    /without speaker-segmentation, speakers are found from voice activity/,
  );
  assert.match(found(findings, 'disk').says, /GB free/);
});

test('check reports mistyped settings', async (t) => {
  const { findings } = await runCheck({ FAIRCOPY_DATA_DIR: await emptyFolder(t), FAIRCOPY_MODLES: 'svc-1.0-lite' });
  assert.match(found(findings, 'settings').says, /FAIRCOPY_MODLES is not a setting: did you mean FAIRCOPY_MODELS\?/);
});

test('check reports an impossible address, and accepts one that a running Faircopy uses', async (t) => {
  const dataDir = await emptyFolder(t);
  const impossible = await runCheck({ FAIRCOPY_DATA_DIR: dataDir, HOST: '203.0.113.7' });
  assert.equal(impossible.code, 69);
  assert.match(found(impossible.findings, 'port').says, /no such address/);
  let isFaircopy = true;
  const other = createServer((_request, response) => {
    if (isFaircopy) response.setHeader('x-request-id', '1');
    response.end('{"status":"alive"}');
  }).listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  assert.equal(found((await runCheck({ FAIRCOPY_DATA_DIR: dataDir, PORT })).findings, 'port').verdict, 'ok');
  isFaircopy = false;
  assert.match(found((await runCheck({ FAIRCOPY_DATA_DIR: dataDir, PORT })).findings, 'port').says, /another program/);
});

const serverOn = async (t: TestContext, dataDir: string): Promise<ChildProcess> => {
  const entry = fileURLToPath(new URL('../../src/storage/testing/lock-entry.js', import.meta.url));
  const child = fork(entry, [dataDir]);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

test('a second server on the same data folder is refused, with the pid of the first', async (t) => {
  const dataDir = await emptyFolder(t);
  const { pid } = await serverOn(t, dataDir);
  const { code, stderr } = await run(['serve'], { FAIRCOPY_DATA_DIR: dataDir, PORT: '0' });
  assert.equal(code, 69);
  assert.match(stderr, new RegExp(`in use by the server with pid ${pid}\\b`));
  assert.equal(stderr.trim().split('\n').length, 1);
});

test('a model store that is not writable is reported with advice', async (t) => {
  const env = { FAIRCOPY_DATA_DIR: await emptyFolder(t), FAIRCOPY_MODELS_DIR: '/dev/null/models', PORT: '0' };
  const { code, stderr } = await run(['serve'], { ...env, FAIRCOPY_MODELS: 'svc-1.0-lite', LOG_LEVEL: 'silent' });
  assert.equal(code, 69);
  assert.match(stderr, /model store \/dev\/null\/models cannot be written.*models pull.*FAIRCOPY_MODELS_DIR/);
  assert.equal(found((await runCheck(env)).findings, 'models').verdict, 'fail');
});

const takenPort = async (t: TestContext): Promise<string> => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  return String((other.address() as AddressInfo).port);
};

test('starts that fail print one sentence, exit with the documented code, and leave nothing behind', async (t) => {
  const folder = await emptyFolder(t);
  const damaged = await emptyFolder(t);
  await writeFile(join(damaged, 'faircopy.db'), 'no database at all');
  const taken = await takenPort(t);
  const nats = { NATS_URL: 'nats://127.0.0.1:1', PORT: '0' };
  for (const [env, code, says] of [
    [{ PORT: taken }, 69, /another program listens there; stop it, or set PORT to another port\.$/],
    [{ PORT: '0', FAIRCOPY_METRICS_PORT: taken }, 69, /set FAIRCOPY_METRICS_PORT to another port\.$/],
    [{ HOST: '203.0.113.7', PORT: '0' }, 69, /203\.0\.113\.7:0 .* no such address; set HOST/],
    [{ HOST: 'no.such.host.invalid', PORT: '0' }, 69, /host name is unknown|no name server/],
    [{ FAIRCOPY_DATA_DIR: '/dev/null/data' }, 69, /data folder \/dev\/null\/data is not a folder.*FAIRCOPY_DATA_DIR/],
    [{ FAIRCOPY_DATA_DIR: '/proc/data' }, 69, /data folder \/proc\/data cannot be created.*FAIRCOPY_DATA_DIR/],
    [{ FAIRCOPY_DATA_DIR: damaged }, 69, /damaged or not a database: run "faircopy restore/],
    [{ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, 69, /PostgreSQL at 127\.0\.0\.1:1 cannot be reached/],
    [{ DATABASE_URL: 'mysql://u:secret@127.0.0.1/x' }, 78, /DATABASE_URL: must be an address such as postgres:/],
    [{ PORT: 'http' }, 78, /PORT: must be a whole number/],
    [{ LOG_LEVEL: 'loud' }, 78, /LOG_LEVEL: must be one of silent, /],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, 78, /OTEL_EXPORTER_OTLP_HEADERS: must be name=value pairs/],
  ] as const) {
    const dataDir = join(folder, 'data');
    const outcome = await run(['serve'], { FAIRCOPY_DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', ...env });
    assert.equal(outcome.code, code, `${JSON.stringify(env)}: ${outcome.stderr}`);
    assert.match(outcome.stderr.trim(), says);
    assert.equal(outcome.stderr.trim().split('\n').length, code === 78 ? 2 : 1, outcome.stderr);
    assert.doesNotMatch(outcome.stderr + outcome.stdout, /secret/);
    assert.deepEqual(await readdir(folder), [], JSON.stringify(env));
  }
  // These faults are found while parts are opened.
  for (const command of ['serve', 'worker']) {
    const env = { ...nats, NATS_CREDS_FILE: '/no/such', FAIRCOPY_DATA_DIR: await emptyFolder(t), LOG_LEVEL: 'silent' };
    const { code, stderr } = await run([command], env);
    assert.deepEqual([code, /NATS_CREDS_FILE: \/no\/such cannot be read/.test(stderr)], [78, true], stderr);
  }
});

test('an invalid FAIRCOPY_URL is reported in one line', async () => {
  const { code, stderr } = await run(['listen'], { FAIRCOPY_API_KEY: 'fc_none', FAIRCOPY_URL: 'hello' });
  assert.equal(code, 78);
  assert.match(stderr, /^FAIRCOPY_URL: "hello" must be an address such as \S+\n$/);
});

test('listen without audio, or with a file that is not PCM, reports it and opens no stream', async () => {
  const env = { FAIRCOPY_API_KEY: 'fc_none', FAIRCOPY_URL: 'http://127.0.0.1:1' };
  const silent = await run(['listen'], env);
  assert.deepEqual([silent.code, silent.stdout], [65, '']);
  assert.match(silent.stderr, /There was no audio/);
  const ogg = await run(['listen'], env, Buffer.from(`OggS${'\0'.repeat(60)}`, 'latin1'));
  assert.equal(ogg.code, 65);
  assert.match(ogg.stderr, /an ogg file, not raw pcm16 or wav.*transcribe/);
});

test('transcribe and listen default to FAIRCOPY_URL, or to PORT on this machine', async () => {
  for (const command of ['transcribe', 'listen'])
    assert.match(
      (await run([command, '--help'], { PORT: '8123', FAIRCOPY_URL: '' })).stdout.replace(/\s+/g, ' '),
      /FAIRCOPY_URL.*127\.0\.0\.1:8123/,
    );
});
