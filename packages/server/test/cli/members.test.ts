import assert from 'node:assert/strict';
import { acceptInvitation } from '../../src/accounts/people/people.ts';
import { openSignIn } from '../../src/accounts/sign-in/sign-in.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { runCli } from './run-cli.ts';

onSqlite('people are invited, listed and removed from the command line', async (_t, { storage, options }) => {
  await runCli(options, 'accounts', 'create', 'acme');
  const invited = await runCli(options, 'members', 'invite', '--account', 'acme', '--email', 'Bo@example.org');
  assert.equal(invited.code, 0, invited.stderr);
  const token = new URL(invited.stdout.trim()).pathname.split('/').at(-1) ?? '';
  const owner = await runCli(options, 'members', 'invite', '--account', 'acme', '--role', 'owner');
  const ownerToken = new URL(owner.stdout.trim()).pathname.split('/').at(-1) ?? '';

  const signIn = await openSignIn(storage, { publicUrl: undefined, oidc: undefined });
  const password = 'a long enough one';
  await acceptInvitation(storage, signIn, token, { name: 'Bo', email: 'bo@example.org', password });
  await acceptInvitation(storage, signIn, ownerToken, { name: 'Ada', email: 'ada@example.org', password });

  const list = async () => JSON.parse((await runCli(options, 'members', 'list', '--account', 'acme', '--json')).stdout);
  assert.deepEqual(
    (await list()).map((member: { email: string; role: string }) => [member.email, member.role]),
    [
      ['ada@example.org', 'owner'],
      ['bo@example.org', 'member'],
    ],
  );
  assert.equal((await runCli(options, 'members', 'remove', '--account', 'acme', '--email', 'BO@example.org')).code, 0);
  assert.equal((await list()).length, 1);
  const last = await runCli(options, 'members', 'remove', '--account', 'acme', '--email', 'ada@example.org');
  assert.equal(last.code, 65);
  assert.match(last.stderr, /last owner/);
  assert.equal((await runCli(options, 'members', 'list', '--account', 'nobody')).code, 65);
});
