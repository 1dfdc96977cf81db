// The playground's own file endpoint, and what calls record for the console: waits, error messages, uses of terms.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { setVocabulary } from '../../src/accounts/vocabulary/vocabulary.ts';
import { VocabularyUses, vocabularyUses } from '../../src/accounts/vocabulary/vocabulary-uses.ts';
import { createRefiner } from '../../src/refine/create-refiner.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from './forms.ts';
import { failure, rowsOnceThere, type Service, sharedService, startService, success } from './service.ts';

const mp3 = () => readFile(fileURLToPath(new URL('../../../test/fuzz/corpus/voice.mp3', import.meta.url)));
const send = ({ url, key }: Service, body: Buffer, headers: Record<string, string> = {}) =>
  fetch(`${url}/console/api/v1/transcribe`, {
    method: 'POST',
    headers: { authorization: `Token ${key}`, 'content-type': FORM_TYPE, ...headers },
    body,
  });

const shared = sharedService();

test('it accepts formats that the native endpoint refuses, with the same key, response and row', async () => {
  const service = shared();
  const body = form(MODEL, file(await mp3()));
  assert.equal((await failure(await service.post(body))).error.code, 'AUDIO_FORMAT_UNSUPPORTED');
  const answer = await success(await send(service, body));
  assert.ok(answer.result.duration_seconds > 0);
  const [refused, served] = await rowsOnceThere(service, 2);
  assert.deepEqual([refused?.status, refused?.billedSeconds], ['AUDIO_FORMAT_UNSUPPORTED', 0]);
  assert.deepEqual([served?.status, served?.billedSeconds], ['success', 15]);
});

test('it requires a key and refuses other sites', async () => {
  const service = shared();
  const body = form(MODEL, file(wavOf(spoken(story(3)))));
  assert.equal((await send(service, body, { authorization: 'Token fc_wrong' })).status, 401);
  assert.equal((await send(service, body, { 'sec-fetch-site': 'cross-site' })).status, 403);
});

test('a row contains the longest wait in the queue and the error message', async (t) => {
  const service = await startService(t);
  await success(await service.post(form(MODEL, file(wavOf(spoken(story(3)))))));
  await failure(await service.post(form(MODEL, file(Buffer.from('no audio at all')))));
  await rowsOnceThere(service, 2);
  const rows = await service.app.storage.read
    .selectFrom('usage_records')
    .select(['queue_ms', 'error_message'])
    .orderBy('request_id')
    .execute();
  assert.ok(rows[0]?.queue_ms !== null && Number(rows[0]?.queue_ms) >= 0);
  assert.equal(rows[0]?.error_message, null);
  assert.match(rows[1]?.error_message ?? '', /file/);
});

const hearsTerms = () => ({
  engine: new ScriptedEngine({ text: () => 'we use fair copy and Lovelace every day' }),
  overrides: { refiner: createRefiner({ tagger: null }) },
});

test('terms of the account are counted when they are written and when they correct a near miss', async (t) => {
  const service = await startService(t, hearsTerms());
  const { storage } = service.app;
  await setVocabulary(storage, service.accountId, ['Faircopy', 'Lovelace', 'Turing']);
  const answer = await success(await service.post(form(MODEL, file(wavOf(spoken(story(3)))))));
  assert.match(answer.result.transcript, /Faircopy and Lovelace/);
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const uses = await vocabularyUses(storage.read, service.accountId, '2000-01-01');
    if (uses.size === 0) continue;
    assert.deepEqual([...uses].map(([term, { written, mended }]) => [term, written, mended]).sort(), [
      ['Faircopy', 1, 1],
      ['Lovelace', 1, 0],
    ]);
    return;
  }
  assert.fail('nothing was counted');
});

test('turning the counts off also deletes earlier ones', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-counts-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const before = await openStorage({ dataDir });
  const counter = new VocabularyUses(before);
  const { account } = await ensureAccount(before, 'test');
  counter.count({ accountId: account.id, vocabulary: ['Faircopy'] }, { text: 'Faircopy', edits: [] }, Date.now());
  await counter.close();
  assert.equal((await vocabularyUses(before.write, account.id, '2000-01-01')).size, 1);
  await before.close();
  const service = await startService(t, { config: { dataDir, vocabularyCounts: false }, ...hearsTerms() });
  const { storage } = service.app;
  await setVocabulary(storage, service.accountId, ['Faircopy']);
  const answer = await success(await service.post(form(MODEL, file(wavOf(spoken(story(3)))))));
  assert.match(answer.result.transcript, /Faircopy/);
  await service.app.close();
  const after = await openStorage({ dataDir });
  t.after(() => after.close());
  assert.deepEqual(await after.read.selectFrom('vocabulary_uses').selectAll().execute(), []);
});
