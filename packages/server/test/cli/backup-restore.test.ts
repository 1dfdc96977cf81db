// Backup and restore while a server runs: it is not disturbed, and its next start uses the backup.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import { silentLog } from '../../src/observability/log.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { emptyDatabase } from '../../src/storage/testing/engines.ts';
import { passthroughRefiner } from '../../src/transcription/testing/passthrough-refiner.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { runCli } from './run-cli.ts';

const WAV = writeWav(pcm16Bytes(spoken(story(3))));

const serving = async (t: TestContext, dataDir: string) => {
  const config = parseConfig({ PORT: '0', FAIRCOPY_DATA_DIR: dataDir, FAIRCOPY_SHUTDOWN_GRACE_MS: '500' });
  const parts = { log: silentLog(), engine: new ScriptedEngine({ slots: 1 }), refiner: passthroughRefiner };
  const app = await createApp(config, parts);
  t.after(() => app.close());
  const url = await app.listen();
  await app.warm();
  const transcribe = async (key: string): Promise<number> => {
    const form = new FormData();
    form.set('model', 'svc-1.0-lite');
    form.set('audio', new Blob([WAV]), 'a.wav');
    const headers = { authorization: `Token ${key}` };
    return (await fetch(`${url}/v1/transcribe`, { method: 'POST', headers, body: form })).status;
  };
  const count = async (): Promise<number> =>
    (await app.storage.write.selectFrom('usage_records').select('request_id').execute()).length;
  return { app, transcribe, count };
};

test('a backup is made and staged while the server runs, and restored at its next start', async (t) => {
  const database = await emptyDatabase(t, 'sqlite');
  const { dataDir } = database;
  const copy = join((await emptyDatabase(t, 'sqlite')).dataDir, 'copy.db');
  const first = await serving(t, dataDir);
  const made = await runCli(database, 'keys', 'create', '--account', 'a', '--create', '--name', 'x');
  const key = /fc_\S+/.exec(made.stdout)![0];
  assert.equal(await first.transcribe(key), 200);
  const backup = await runCli(database, 'backup', copy);
  assert.match(backup.stderr, /Wrote .* and checked it: .*1 usage records/);
  const restore = await runCli(database, 'restore', copy, '--force');
  assert.deepEqual([restore.code, restore.stdout], [0, '']);
  assert.match(
    restore.stderr,
    new RegExp(`staged .*: .* server with pid ${process.pid} restores it at its next start`),
  );
  // This request is recorded in the database that will be replaced.
  assert.equal(await first.transcribe(key), 200);
  assert.equal(await first.count(), 2);
  assert.match((await runCli(database, 'keys', 'list')).stderr, /changes made now will be lost/);
  await first.app.close();
  const second = await serving(t, dataDir);
  assert.equal(await second.count(), 1);
  assert.equal(await second.transcribe(key), 200);
  const names = (await readdir(dataDir)).filter((name) => /^faircopy\.db\.(?!jobs-secret)/.test(name));
  assert.deepEqual(
    names.map((name) => name.replace(/\d{8}T\d+Z/, 'TIME')),
    ['faircopy.db.before-restore-TIME'],
  );
});
