// The output of a first start: to standard output, or to a file that only its owner can read.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listAccounts } from '../../src/accounts/accounts.ts';
import { welcome } from '../../src/cli/start/welcome.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { emptyFolder } from './run-cli.ts';

const START = { url: 'http://localhost:8080', models: ['svc-1.0-lite'], node: 'a' } as const;
const SECRETS = [/fc_[0-9A-Za-z]{49}/, /\/console\/welcome\/[\w-]{32}/];

onSqlite('the first key and sign-in link are printed, or written to a file instead', async (t, { storage }) => {
  const printed: string[] = [];
  await welcome(storage, START, (text = '') => printed.push(text));
  for (const secret of SECRETS) assert.match(printed.join('\n'), secret);

  const secretsFile = join(await emptyFolder(t), 'first-start');
  await storage.write.deleteFrom('welcome_links').execute();
  await storage.write.deleteFrom('api_keys').execute();
  await storage.write.deleteFrom('accounts').execute();
  const quiet: string[] = [];
  await welcome(storage, { ...START, secretsFile }, (text = '') => quiet.push(text));
  for (const secret of SECRETS) {
    assert.doesNotMatch(quiet.join('\n'), secret);
    assert.match(await readFile(secretsFile, 'utf8'), secret);
  }
  assert.ok(quiet.join('\n').includes(secretsFile));
  assert.equal((await stat(secretsFile)).mode & 0o777, 0o600);
});

onSqlite('a file that cannot be written is reported before a key is created', async (_t, { storage }) => {
  const secretsFile = '/nonexistent/first-start';
  await assert.rejects(
    welcome(storage, { ...START, secretsFile }, () => {}),
    { code: 'ENOENT', path: secretsFile },
  );
  assert.deepEqual(await listAccounts(storage.write), []);
});
