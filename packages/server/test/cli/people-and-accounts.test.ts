import assert from 'node:assert/strict';
import { createInvitation } from '../../src/accounts/people/invitations.ts';
import { resetPassword } from '../../src/accounts/people/password-resets.ts';
import { acceptInvitation } from '../../src/accounts/people/people.ts';
import { openSignIn } from '../../src/accounts/sign-in/sign-in.ts';
import { quickPasswords } from '../../src/accounts/sign-in/testing/quick-passwords.ts';
import { onSqlite, type Place } from '../../src/storage/testing/engines.ts';
import { runCli } from './run-cli.ts';

const withTwoPeople = async ({ storage, options }: Place) => {
  const run = (...args: string[]) => runCli(options, ...args);
  const made = await run('accounts', 'create', 'acme', '--json');
  const [{ id: accountId }] = JSON.parse(made.stdout);
  const signIn = await openSignIn(storage, { publicUrl: undefined, oidc: undefined, passwords: quickPasswords });
  for (const email of ['ada@example.org', 'bo@example.org']) {
    const { token } = await createInvitation(storage, { accountId, role: 'owner', email: null });
    await acceptInvitation(storage, signIn, token, { name: email.slice(0, 3), email, password: 'a long enough one' });
  }
  return { run, signIn };
};

onSqlite('a reset link and administrators from the command line', async (_t, place) => {
  const { run, signIn } = await withTwoPeople(place);
  const reset = await run('members', 'reset', 'BO@example.org');
  assert.equal(reset.code, 0, reset.stderr);
  const token = /\/console\/reset\/([\w-]+)\n$/.exec(reset.stdout)?.[1] ?? '';
  const { email } = await resetPassword(place.storage, signIn, token, 'one that is new');
  assert.equal(email, 'bo@example.org');
  assert.equal((await run('members', 'reset', 'nobody@example.org')).code, 65);
  assert.match((await run('members', 'reset', 'bo@example.org', '--send')).stderr, /FAIRCOPY_SMTP_URL/);

  const administrators = async () =>
    JSON.parse((await run('administrators', 'list', '--json')).stdout).map((one: { email: string }) => one.email);
  assert.deepEqual(await administrators(), []);
  assert.equal((await run('administrators', 'add', 'ada@example.org')).code, 0);
  assert.equal((await run('administrators', 'remove', 'ada@example.org')).code, 65);
  assert.equal((await run('administrators', 'add', 'bo@example.org')).code, 0);
  assert.equal((await run('administrators', 'remove', 'ada@example.org')).code, 0);
  assert.deepEqual(await administrators(), ['bo@example.org']);
});

onSqlite('accounts are renamed and closed from the command line, and their usage is kept', async (_t, place) => {
  const run = (...args: string[]) => runCli(place.options, ...args);
  await run('keys', 'create', '--account', 'acme', '--name', 'k');
  assert.equal((await run('accounts', 'rename', 'acme', 'Acme Ltd')).code, 0);
  const closed = await run('accounts', 'close', 'Acme Ltd');
  assert.equal(closed.code, 0, closed.stderr);
  assert.match(closed.stderr, /within a second/i);
  const keys = JSON.parse((await run('keys', 'list', '--account', 'Acme Ltd', '--json')).stdout);
  assert.deepEqual(
    keys.map((key: { state: string }) => key.state),
    ['revoked'],
  );
  const [account] = JSON.parse((await run('accounts', 'list', '--json')).stdout);
  assert.ok(account.closed_at);
  assert.equal((await run('usage', '--account', 'Acme Ltd', '--json')).code, 0);
  const refused = await run('keys', 'create', '--account', 'Acme Ltd', '--name', 'k');
  assert.equal(refused.code, 65);
  assert.match(refused.stderr, /closed/);
});

onSqlite(
  'unknown scopes, names and languages are refused with the valid ones, and leave nothing behind',
  async (_t, place) => {
    const run = (...args: string[]) => runCli(place.options, ...args);
    for (const [option, value, valid] of [
      ['--scopes', 'admin', /--scopes: must be one of transcribe, stream, jobs, usage/],
      ['--redact', 'names', /--redact: must be one of pci, ssn, national_id/],
      ['--languages', 'klingon', /"klingon" is not a supported language. Supported: .*de, /],
    ] as const) {
      const { code, stderr } = await run('keys', 'create', '--account', 'acme', '--name', 'k', option, value);
      assert.equal(code, 64);
      assert.match(stderr, valid);
      assert.doesNotMatch(stderr, / at .*:\d+:\d+/, 'no stack');
    }
    assert.deepEqual(JSON.parse((await run('accounts', 'list', '--json')).stdout), []);
  },
);
