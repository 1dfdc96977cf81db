// `faircopy voices` against a running server.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { spoken } from '../../src/speech/testing/tones.ts';
import { emptyDatabase } from '../../src/storage/testing/engines.ts';
import { wavOf } from '../http/forms.ts';
import { startService } from '../http/service.ts';
import { runCliWith } from './run-cli.ts';

const said = (seconds: number): Buffer =>
  wavOf(
    spoken(
      Array.from({ length: seconds }, () => 'apple'),
      { wordMs: 900, pauseMs: 100 },
    ),
  );

test('voices are added with consent, listed, exported and deleted on the command line', async (t) => {
  const { url, key } = await startService(t, {
    config: { voicesSecret: 'a secret of at least thirty-two characters' },
  });
  const { dataDir: folder } = await emptyDatabase(t, 'sqlite');
  const [long, short] = [join(folder, 'long.wav'), join(folder, 'short.wav')];
  await writeFile(long, said(10));
  await writeFile(short, said(2));
  const voices = (...args: string[]) =>
    runCliWith({ env: { FAIRCOPY_URL: url, FAIRCOPY_API_KEY: key } }, 'voices', ...args);

  const silent = await voices('add', long, '--name', 'Ada');
  assert.equal(silent.code, 64);
  assert.match(silent.stderr, /--consent/);
  const tooShort = await voices('add', short, '--name', 'Ada', '--consent');
  assert.equal(tooShort.code, 65);
  assert.match(tooShort.stderr, /At least 8/);

  const added = await voices('add', long, '--name', 'Ada', '--consent');
  assert.equal(added.code, 0, added.stderr);
  const id = added.stdout.trim();
  assert.match((await voices('list')).stdout, new RegExp(`${id}\\tAda\\t`));
  const exported = JSON.parse((await voices('export', id)).stdout);
  assert.deepEqual([exported.voice.name, exported.print.embedding.length], ['Ada', 8]);
  assert.equal((await voices('delete', id)).code, 0);
  assert.deepEqual(JSON.parse((await voices('list', '--json')).stdout), []);
  assert.equal((await voices('delete', id)).code, 65);
});
