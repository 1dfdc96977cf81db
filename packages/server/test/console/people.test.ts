// People in the console's API: members of several accounts, invitations, reset links and roles.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountDetail, CreatedKey, KeyRecord, Me, ServerPerson } from '@faircopy/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { openSmtpMailer } from '../../src/accounts/people/mailer.ts';
import { startMailServer } from '../../src/accounts/people/testing/smtp-server.ts';
import { deferred } from '../../src/lib/time/deferred.ts';
import { onSqlite } from '../../src/storage/testing/engines.ts';
import { Browser, openConsole, PASSWORD } from './console-app.ts';

const tokenIn = (link: string): string => link.split('/').at(-1) ?? '';
const BO = { name: 'Bo', email: 'bo@example.org', password: PASSWORD };

const invite = async (owner: Browser, accountId: string, wish: object = { email: null, role: 'member' }) => {
  const made = await owner.ask('POST', `/api/accounts/${accountId}/invitations`, wish);
  assert.equal(made.statusCode, 201, made.body);
  return tokenIn(made.json().link);
};
const accountsOf = async (browser: Browser) =>
  (await browser.ask('GET', '/api/me')).json<Me>().accounts.map(({ name, role }) => [name, role]);
const signIn = (browser: Browser, email: string, password: string) =>
  browser.ask('POST', '/api/auth/sign-in/email', { email, password });

onSqlite('a removed member is invited again and returns with the old password', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  const { person } = (await bo.ask('GET', '/api/me')).json<Me>();
  await ada.ask('DELETE', `/api/accounts/${account.id}/members/${person.id}`);
  assert.deepEqual(await accountsOf(bo), []);

  const again = await invite(ada, account.id, { email: 'bo@example.org', role: 'owner' });
  const anew = new Browser(app);
  assert.equal((await anew.ask('POST', `/api/welcome/${again}/join`)).statusCode, 401);
  assert.equal((await signIn(anew, BO.email, PASSWORD)).statusCode, 200);
  const joined = await anew.ask('POST', `/api/welcome/${again}/join`);
  assert.deepEqual(joined.json(), { account_id: account.id });
  assert.deepEqual(await accountsOf(anew), [['default', 'owner']]);
  assert.equal((await anew.ask('POST', `/api/welcome/${again}/join`)).statusCode, 404);
});

onSqlite('an open invitation can be tried with one address only, as a new or an existing person', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const second = (await ada.ask('POST', '/api/admin/accounts', { name: 'second' })).json<{ id: string }>();
  await new Browser(app).ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  const open = await invite(ada, second.id);
  const guest = new Browser(app);
  const accept = (wish: object) => guest.ask('POST', `/api/welcome/${open}`, { ...BO, ...wish });
  const taken = await accept({ password: 'not the password' });
  assert.equal(taken.statusCode, 401);
  assert.doesNotMatch(taken.body, /already|exists/);
  for (const email of ['ada@example.org', 'nobody@example.org'])
    assert.equal((await accept({ email })).statusCode, 400, 'no other address can be tried');
  assert.deepEqual(await accountsOf(guest).catch(() => null), null);
  assert.equal((await accept({})).statusCode, 200);
  assert.deepEqual(await accountsOf(guest), [
    ['default', 'member'],
    ['second', 'member'],
  ]);
});

onSqlite('a person can be a member of several accounts', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const second = (await ada.ask('POST', '/api/admin/accounts', { name: 'second' })).json<{ id: string }>();
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  const joined = await bo.ask('POST', `/api/welcome/${await invite(ada, second.id)}/join`);
  assert.equal(joined.statusCode, 200, joined.body);
  assert.deepEqual(await accountsOf(bo), [
    ['default', 'member'],
    ['second', 'member'],
  ]);
  // Nobody else can use a personal link, and it stays valid for the invited person.
  const forCy = await invite(ada, account.id, { email: 'cy@example.org', role: 'member' });
  const wrong = await bo.ask('POST', `/api/welcome/${forCy}/join`);
  assert.equal(wrong.statusCode, 400);
  assert.match(wrong.json().error.message, /cy@example.org/);
  assert.equal((await new Browser(app).ask('GET', `/api/welcome/${forCy}`)).statusCode, 200);
});

onSqlite('an owner who accepts an invitation as member stays an owner', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  assert.equal((await ada.ask('POST', `/api/welcome/${await invite(ada, account.id)}/join`)).statusCode, 200);
  assert.deepEqual(await accountsOf(ada), [['default', 'owner']]);
});

onSqlite('members can revoke their own keys, owners all keys', async (t, place) => {
  const { app, ada, account, storage } = await openConsole(t, place);
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  const keys = `/api/accounts/${account.id}/keys`;
  const make = async (who: Browser) => (await who.ask('POST', keys, { name: 'k' })).json<CreatedKey>().record.id;
  const [adas, bos] = [await make(ada), await make(bo)];
  const { listing } = await createKey(storage, { accountId: account.id, name: 'cli', createdBy: 'command line' });
  const own = (await bo.ask('GET', keys)).json<KeyRecord[]>().filter((key) => key.is_own);
  assert.deepEqual(
    own.map(({ id }) => id),
    [bos],
  );
  assert.equal((await bo.ask('DELETE', `${keys}/${bos}`)).statusCode, 200);
  for (const foreign of [adas, listing.id]) {
    const refused = await bo.ask('DELETE', `${keys}/${foreign}`);
    assert.equal(refused.statusCode, 403);
    assert.match(refused.json().error.message, /owner/);
  }
  const boAgain = await make(bo);
  for (const key of [boAgain, listing.id]) assert.equal((await ada.ask('DELETE', `${keys}/${key}`)).statusCode, 200);
});

onSqlite('owners change roles; the last owner cannot be removed', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  const [adaId, boId] = await Promise.all(
    [ada, bo].map(async (who) => (await who.ask('GET', '/api/me')).json<Me>().person.id),
  );
  const give = (who: Browser, personId: string | undefined, role: string) =>
    who.ask('PATCH', `/api/accounts/${account.id}/members/${personId}`, { role });
  assert.equal((await give(bo, boId, 'owner')).statusCode, 403);
  assert.equal((await give(ada, adaId, 'member')).statusCode, 409);
  assert.equal((await give(ada, boId, 'owner')).statusCode, 204);
  assert.equal((await give(bo, adaId, 'member')).statusCode, 204);
  assert.deepEqual(await accountsOf(bo), [['default', 'owner']]);
});

onSqlite('administrators are added and removed; the last one cannot be removed', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  assert.equal((await bo.ask('GET', '/api/admin/people')).statusCode, 403);
  const people = (await ada.ask('GET', '/api/admin/people')).json<ServerPerson[]>();
  assert.deepEqual(
    people.map(({ email, is_administrator, accounts }) => [email, is_administrator, accounts]),
    [
      ['ada@example.org', true, ['default']],
      ['bo@example.org', false, ['default']],
    ],
  );
  const [adaId, boId] = people.map(({ id }) => id);
  const make = (who: Browser, id: string | undefined, is_administrator: boolean) =>
    who.ask('PATCH', `/api/admin/people/${id}`, { is_administrator });
  assert.equal((await make(bo, boId, true)).statusCode, 403);
  assert.equal((await make(ada, adaId, false)).statusCode, 409);
  assert.equal((await make(ada, boId, true)).statusCode, 204);
  assert.equal((await bo.ask('GET', '/api/admin/people')).statusCode, 200);
  assert.equal((await make(bo, adaId, false)).statusCode, 204);
  assert.equal((await ada.ask('GET', '/api/admin/people')).statusCode, 403);
  assert.equal((await make(bo, boId, false)).statusCode, 409);
});

onSqlite('a reset link works once and ends every session', async (t, place) => {
  const { app, ada, account } = await openConsole(t, place);
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  const boId = (await bo.ask('GET', '/api/me')).json<Me>().person.id;
  assert.equal((await bo.ask('POST', `/api/admin/people/${boId}/reset`)).statusCode, 403);
  const replaced = tokenIn((await ada.ask('POST', `/api/admin/people/${boId}/reset`)).json().link);
  const made = await ada.ask('POST', `/api/admin/people/${boId}/reset`);
  assert.equal(made.json().sent, false);
  const token = tokenIn(made.json().link);

  const anew = new Browser(app);
  assert.equal((await anew.ask('GET', `/api/reset/${replaced}`)).statusCode, 404);
  assert.deepEqual((await anew.ask('GET', `/api/reset/${token}`)).json(), { email: BO.email });
  // Reset links and invitations are not interchangeable.
  assert.equal((await anew.ask('GET', `/api/welcome/${token}`)).statusCode, 404);
  assert.equal((await anew.ask('GET', `/api/reset/${await invite(ada, account.id)}`)).statusCode, 404);
  assert.equal((await anew.ask('POST', `/api/reset/${token}`, { password: 'short' })).statusCode, 400);
  assert.equal((await anew.ask('POST', `/api/reset/${token}`, { password: 'one that is new' })).statusCode, 200);
  assert.deepEqual(await accountsOf(anew), [['default', 'member']]);
  assert.equal((await bo.ask('GET', '/api/me')).statusCode, 401);
  assert.equal((await signIn(bo, BO.email, PASSWORD)).statusCode, 401);
  assert.equal((await anew.ask('POST', `/api/reset/${token}`, { password: 'one more of them' })).statusCode, 404);
});

onSqlite('with a mail server, links are sent by e-mail; answers do not reveal who exists', async (t, place) => {
  const server = await startMailServer();
  const mailer = openSmtpMailer(server.url, 'Faircopy <faircopy@example.org>');
  t.after(async () => {
    mailer.close();
    await server.close();
  });
  const publicUrl = 'http://127.0.0.1';
  const { app, ada, account } = await openConsole(t, place, { mailer, publicUrl });
  const invited = await ada.ask('POST', `/api/accounts/${account.id}/invitations`, { email: BO.email, role: 'member' });
  assert.equal(invited.json().sent, true);
  assert.deepEqual((await server.message(1)).to, [BO.email]);
  assert.match((await server.message(1)).text, new RegExp(tokenIn(invited.json().link)));

  const stranger = new Browser(app);
  assert.deepEqual((await stranger.ask('GET', '/api/sign-in-options')).json(), { oidc: null, mail: true });
  const forgot = (email: string) => stranger.ask('POST', '/api/forgotten-password', { email });
  const [known, unknown] = [await forgot('Ada@example.org'), await forgot('nobody@example.org')];
  assert.deepEqual([known.statusCode, unknown.statusCode], [204, 204]);
  const letter = await server.message(2);
  assert.deepEqual(letter.to, ['ada@example.org']);
  const token = /\/console\/reset\/([\w-]+)/.exec(letter.text)?.[1];
  assert.equal((await stranger.ask('POST', `/api/reset/${token}`, { password: 'one that is new' })).statusCode, 200);

  let last = known.statusCode;
  for (let n = 0; n < 10; n++) last = (await forgot('nobody@example.org')).statusCode;
  assert.equal(last, 429);
  assert.equal(server.messages.length, 2);
});

/** A mailer that records the links of its messages. */
const recordingMailer = () => {
  const first = deferred<string>();
  const links: string[] = [];
  const send = async ({ text }: { readonly text: string }): Promise<void> => {
    links.push(/\S+\/console\/\S+/.exec(text)?.[0] ?? '');
    first.resolve(links[0]!);
  };
  return { mailer: { send, close: () => {} }, links, first: first.promise };
};
const EVIL = { host: 'evil.example', origin: 'http://evil.example' };

onSqlite('mailed links have the public URL, never the Host header', async (t, place) => {
  const { mailer, first, links } = recordingMailer();
  const { app, ada, account } = await openConsole(t, place, { mailer, publicUrl: 'http://127.0.0.1' });
  const forgotten = { email: 'ada@example.org' };
  assert.equal((await new Browser(app).ask('POST', '/api/forgotten-password', forgotten, EVIL)).statusCode, 204);
  assert.match(await first, /^http:\/\/127\.0\.0\.1\/console\/reset\//);
  await ada.ask('POST', `/api/accounts/${account.id}/invitations`, { email: BO.email, role: 'member' }, EVIL);
  assert.match(links[1]!, /^http:\/\/127\.0\.0\.1\/console\/welcome\//);
});

onSqlite('without a public URL, links have no origin and are not mailed', async (t, place) => {
  const { mailer, links } = recordingMailer();
  const { ada, account } = await openConsole(t, place, { mailer });
  const wish = { email: BO.email, role: 'member' };
  const invited = (await ada.ask('POST', `/api/accounts/${account.id}/invitations`, wish, EVIL)).json();
  assert.match(invited.link, /^\/console\/welcome\//);
  assert.equal(invited.sent, false);
  const { person } = (await ada.ask('GET', '/api/me')).json<Me>();
  const reset = (await ada.ask('POST', `/api/admin/people/${person.id}/reset`, {}, EVIL)).json();
  assert.match(reset.link, /^\/console\/reset\//);
  assert.deepEqual(links, []);
});

onSqlite('without a mail server, a forgotten password needs an administrator', async (t, place) => {
  const { app } = await openConsole(t, place);
  const answer = await new Browser(app).ask('POST', '/api/forgotten-password', { email: 'ada@example.org' });
  assert.equal(answer.statusCode, 404);
  assert.match(answer.json().error.message, /administrator/);
});

onSqlite('an owner sets the languages of the account', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const set = (languages: readonly string[]) => ada.ask('PUT', `/api/accounts/${account.id}/languages`, { languages });
  assert.deepEqual((await set(['German', 'en'])).json(), { languages: ['de', 'en'] });
  const refused = await set(['klingon']);
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /klingon.*Supported: .*de, /u);
  const detail = (await ada.ask('GET', `/api/accounts/${account.id}`)).json();
  assert.deepEqual([detail.languages, detail.redact], [['de', 'en'], []]);
  assert.deepEqual((await set([])).json(), { languages: [] });
});

onSqlite('renaming an account fails if someone else has renamed it', async (t, place) => {
  const { ada, account, storage } = await openConsole(t, place);
  await createAccount(storage, 'taken');
  const rename = (name: string, before: string) => ada.ask('PATCH', `/api/accounts/${account.id}`, { name, before });
  assert.deepEqual((await rename('  Acme 🎙 ', 'default')).json(), { name: 'Acme 🎙' });
  assert.deepEqual(await accountsOf(ada), [['Acme 🎙', 'owner']]);
  const stale = await rename('Other', 'default');
  assert.equal(stale.statusCode, 409);
  assert.match(stale.json().error.message, /meanwhile/);
  assert.equal((await rename('taken', 'Acme 🎙')).statusCode, 409);
  assert.deepEqual(await accountsOf(ada), [['Acme 🎙', 'owner']]);
});

onSqlite('concurrent edits of vocabulary or limits are reported, not lost', async (t, place) => {
  const { ada, account } = await openConsole(t, place);
  const put = (terms: string[], before: string[]) =>
    ada.ask('PUT', `/api/accounts/${account.id}/vocabulary`, { terms, before });
  assert.equal((await put(['Faircopy'], [])).statusCode, 200);
  const second = await put(['Other'], []);
  assert.equal(second.statusCode, 409);
  assert.match(second.json().error.message, /meanwhile/);
  const detail = async () => (await ada.ask('GET', `/api/accounts/${account.id}`)).json<AccountDetail>();
  assert.deepEqual((await detail()).vocabulary, ['Faircopy']);
  assert.equal((await put(['Faircopy', 'Other'], ['Faircopy'])).statusCode, 200);

  const limits = { max_streams: null, max_duration_seconds: null, max_uploads: null, max_waiting_seconds: null };
  const patch = (max_streams: number) =>
    ada.ask('PATCH', `/api/admin/accounts/${account.id}`, { limits: { ...limits, max_streams }, before: limits });
  assert.equal((await patch(5)).statusCode, 200);
  assert.equal((await patch(6)).statusCode, 409);
  assert.equal((await detail()).limits.max_streams, 5);
});

onSqlite('closing an account revokes keys and members; administrators still see its usage', async (t, place) => {
  const { app, ada, account, storage } = await openConsole(t, place);
  const second = (await ada.ask('POST', '/api/admin/accounts', { name: 'second' })).json<{ id: string }>();
  const bo = new Browser(app);
  await bo.ask('POST', `/api/welcome/${await invite(ada, account.id)}`, BO);
  await bo.ask('POST', `/api/welcome/${await invite(ada, second.id)}/join`);
  const open = await invite(ada, second.id);
  await bo.ask('POST', `/api/accounts/${second.id}/keys`, { name: 'k' });
  assert.equal((await bo.ask('POST', `/api/admin/accounts/${second.id}/close`)).statusCode, 403);
  const closed = await ada.ask('POST', `/api/admin/accounts/${second.id}/close`);
  assert.ok(closed.json().closed_at);
  assert.equal(closed.json().keys, 0);
  assert.deepEqual(await accountsOf(bo), [['default', 'member']]);
  assert.equal((await bo.ask('GET', `/api/accounts/${second.id}`)).statusCode, 404);
  assert.equal((await bo.ask('GET', `/api/welcome/${open}`)).statusCode, 404);
  assert.equal((await ada.ask('GET', `/api/accounts/${second.id}/usage/summary`)).statusCode, 200);
  for (const [method, path] of [
    ['POST', '/keys'],
    ['POST', '/playground-key'],
    ['POST', '/invitations'],
    ['PUT', '/vocabulary'],
  ] as const) {
    const body = { name: 'x', email: null, role: 'member', terms: [] };
    assert.equal((await ada.ask(method, `/api/accounts/${second.id}${path}`, body)).statusCode, 409, path);
  }
  await assert.rejects(createKey(storage, { accountId: second.id, name: 'k', createdBy: null }), { code: 'CONFLICT' });
});

test('an invitation succeeds when its e-mail cannot be sent', async () => {
  const mailer = openSmtpMailer('smtp://127.0.0.1:1', 'a@example.org');
  await assert.rejects(mailer.send({ to: 'b@example.org', subject: 's', text: 't' }));
  mailer.close();
});
