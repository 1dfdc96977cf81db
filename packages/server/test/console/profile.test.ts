// People's own name and sessions in the console's API, on both databases.
import assert from 'node:assert/strict';
import type { Me, OwnSignIn } from '@faircopy/contract';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { Browser, openConsole, PASSWORD } from './console-app.ts';

onSqlite('people change their name, and end their sessions one by one', async (t, place) => {
  const { app, ada } = await openConsole(t, place);
  const phone = new Browser(app);
  await phone.ask('POST', '/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD });
  assert.equal((await ada.ask('PATCH', '/api/me', { name: ' Ada Lovelace ' })).statusCode, 204);
  assert.equal((await phone.ask('GET', '/api/me')).json<Me>().person.name, 'Ada Lovelace');
  assert.equal((await ada.ask('PATCH', '/api/me', { name: '' })).statusCode, 400);
  assert.equal((await ada.ask('PATCH', '/api/me', { name: 'Eve', is_administrator: false })).statusCode, 204);
  assert.equal((await ada.ask('GET', '/api/me')).json<Me>().person.is_administrator, true);

  const own = (await ada.ask('GET', '/api/me/sign-in')).json<OwnSignIn>();
  assert.equal(own.has_password, true);
  assert.deepEqual(own.sessions.map(({ is_current }) => is_current).sort(), [false, true]);
  const other = own.sessions.find(({ is_current }) => !is_current)!;
  assert.equal((await ada.ask('DELETE', `/api/me/sessions/${other.id}`)).statusCode, 204);
  assert.equal((await phone.ask('GET', '/api/me')).statusCode, 401);
  assert.equal((await ada.ask('DELETE', `/api/me/sessions/${other.id}`)).statusCode, 404);
  assert.equal((await phone.ask('GET', '/api/me/sign-in')).statusCode, 401);
});

onSqlite("nobody ends another person's session", async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const { link } = (
    await ada.ask('POST', `/api/accounts/${account.id}/invitations`, { email: null, role: 'member' })
  ).json<{ link: string }>();
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${link.split('/').at(-1)}`, {
    name: 'Bo',
    email: 'bo@example.org',
    password: PASSWORD,
  });
  const { sessions } = (await ada.ask('GET', '/api/me/sign-in')).json<OwnSignIn>();
  assert.equal((await bo.ask('DELETE', `/api/me/sessions/${sessions[0]!.id}`)).statusCode, 404);
  assert.equal((await ada.ask('GET', '/api/me')).statusCode, 200);
});
