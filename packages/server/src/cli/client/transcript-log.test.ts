import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { TranscriptFolder } from '../watch/folder/transcript-folder.ts';
import { exitCodeOf, sentenceOf } from './service-client.ts';
import { appendToLog, LOG_FILE, readLog } from './transcript-log.ts';
import { TranscriptSources } from './transcript-sources.ts';

/** More than Node reads into one string. */
const UNREADABLE_BYTES = 2 ** 31 + 1;
const RECORD = { recording: '/a.wav', bytes: 1, modified_ms: 2, sha256: 'x', state: 'written' } as const;

const scratch = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-log-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

test('a folder without a log has no records', async (t) => {
  const folder = await scratch(t);
  assert.equal((await readLog(folder)).size, 0);
  await appendToLog(folder, { ...RECORD, output: 'a.txt' });
  assert.deepEqual([...(await readLog(folder)).keys()], ['a.txt']);
});

test('a watcher does not start with a log that it cannot read, and leaves it as it is', async (t) => {
  const folder = await scratch(t);
  const path = join(folder, LOG_FILE);
  const file = await open(path, 'w');
  await file.truncate(UNREADABLE_BYTES);
  await file.close();
  await assert.rejects(new TranscriptFolder(folder).records(), (thrown: Error) => {
    assert.ok(sentenceOf(thrown).startsWith(`The log of transcripts ${path} cannot be read: `), thrown.message);
    return true;
  });
  assert.equal((await stat(path)).size, UNREADABLE_BYTES);
});

test('nothing is sent whose transcript could not be logged', async (t) => {
  const folder = await scratch(t);
  await mkdir(join(folder, LOG_FILE));
  const planned = { recording: join(folder, 'a.wav'), output: join(folder, 'a.txt') };
  await assert.rejects(new TranscriptSources().expect(planned), (thrown) => exitCodeOf(thrown) === 65);
  // What has no record needs no log.
  await new TranscriptSources().expect({ ...planned, recording: '-' });
});
