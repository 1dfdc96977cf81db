import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { sql } from '#kysely';
import { onBothEngines, type Place } from '../../storage/testing/engines.ts';
import { createAccount } from '../accounts.ts';
import { CachedAuthenticator } from '../authentication/authenticator.ts';
import { createKey, keyState, listKeys } from '../keys/keys.ts';
import { storedSessionToken } from '../sign-in/session-tokens.ts';
import { openSignIn, type SignIn } from '../sign-in/sign-in.ts';
import { quickPasswords } from '../sign-in/testing/quick-passwords.ts';
import { cookiesOf, ORIGIN, postTo } from '../sign-in/testing/requests.ts';
import { DEFAULT_LIMITS } from '../testing/limits.ts';
import { setAdministrator } from './administrators.ts';
import {
  createFirstAdministratorInvitation,
  createInvitation,
  findInvitation,
  withdrawInvitation,
} from './invitations.ts';
import { membershipsOf, membersOf, removeMember } from './members.ts';
import { acceptInvitation, joinByInvitation, personSignedIn } from './people.ts';

const ada = { name: 'Ada', email: 'Ada@Example.org', password: 'a long enough one' };

const signInWith = (signIn: SignIn, email: string, password: string, peer?: string): Promise<Response> =>
  postTo(signIn, '/sign-in/email', { email, password }, peer);

const setUp = async ({ storage }: Place) => {
  const account = await createAccount(storage, 'default');
  const signIn = await openSignIn(storage, { publicUrl: ORIGIN, oidc: undefined, passwords: quickPasswords });
  return { account, signIn, storage };
};

/** With Ada as the administrator of the server and the owner of the account. */
const setUpWithOwner = async (place: Place) => {
  const all = await setUp(place);
  const token = await createFirstAdministratorInvitation(all.storage, all.account.id, 'a');
  await acceptInvitation(all.storage, all.signIn, token!, ada);
  return all;
};

onBothEngines(
  'the first invitation creates one administrator, and later starts create no invitation',
  async (_t, place) => {
    const { account, signIn, storage } = await setUp(place);
    const forgotten = await createFirstAdministratorInvitation(storage, account.id, 'a');
    const token = await createFirstAdministratorInvitation(storage, account.id, 'a');
    assert.ok(forgotten && token);
    await assert.rejects(findInvitation(storage.write, forgotten), { code: 'NOT_FOUND' });

    await acceptInvitation(storage, signIn, token, ada);
    await assert.rejects(acceptInvitation(storage, signIn, token, { ...ada, email: 'eve@example.org' }), {
      code: 'NOT_FOUND',
    });
    assert.equal(await createFirstAdministratorInvitation(storage, account.id, 'a'), null);

    const answer = await signInWith(signIn, ada.email, ada.password);
    assert.equal(answer.status, 200);
    const cookie = answer.headers.getSetCookie()[0] ?? '';
    assert.match(cookie, /HttpOnly/i);
    assert.match(cookie, /SameSite=Lax/i);
    const person = await personSignedIn(signIn, new Headers({ cookie: cookiesOf(answer) }));
    assert.deepEqual(
      { ...person, id: undefined },
      { id: undefined, name: 'Ada', email: 'ada@example.org', isAdministrator: true },
    );
    const [membership, ...others] = await membershipsOf(storage.read, person!.id);
    assert.deepEqual(
      [membership?.accountId, membership?.accountName, membership?.role, others],
      [account.id, 'default', 'owner', []],
    );
  },
);

onBothEngines('the first links of several nodes are valid until one is used', async (_t, place) => {
  const { account, signIn, storage } = await setUp(place);
  const linkOf = async (node: string) =>
    (await createFirstAdministratorInvitation(storage, account.id, node)) ?? assert.fail('no link');
  const [beforeRestart, b] = [await linkOf('a'), await linkOf('b')];
  const a = await linkOf('a');
  await assert.rejects(findInvitation(storage.write, beforeRestart), { code: 'NOT_FOUND' });
  assert.equal((await findInvitation(storage.write, b)).purpose, 'first_administrator');
  await acceptInvitation(storage, signIn, a, ada);
  const [person] = await membersOf(storage.write, account.id);
  await assert.rejects(acceptInvitation(storage, signIn, b, { ...ada, email: 'eve@example.org' }), {
    code: 'NOT_FOUND',
  });
  await assert.rejects(acceptInvitation(storage, signIn, b, ada), { code: 'NOT_FOUND' });
  await assert.rejects(joinByInvitation(storage, b, { id: person!.personId, email: 'ada@example.org' }), {
    code: 'NOT_FOUND',
  });
});

onBothEngines('of two concurrent uses of a link, one succeeds', async (_t, place) => {
  const { account, signIn, storage } = await setUp(place);
  const token = (await createFirstAdministratorInvitation(storage, account.id, 'a')) ?? '';
  const wishes = ['a@example.org', 'b@example.org'].map((email) =>
    acceptInvitation(storage, signIn, token, { ...ada, email }),
  );
  const outcomes = await Promise.allSettled(wishes);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await membersOf(storage.write, account.id)).length, 1);
});

onBothEngines('an invitation has an address, an account and a role, and can be withdrawn', async (_t, place) => {
  const { account, signIn, storage } = await setUp(place);
  const { token } = await createInvitation(storage, { accountId: account.id, role: 'member', email: 'Bo@example.org' });
  await assert.rejects(acceptInvitation(storage, signIn, token, ada), { code: 'INVALID_REQUEST' });
  await acceptInvitation(storage, signIn, token, { ...ada, email: 'bo@example.org' });
  const [member] = await membersOf(storage.write, account.id);
  assert.deepEqual([member?.email, member?.role], ['bo@example.org', 'member']);

  const second = await createInvitation(storage, { accountId: account.id, role: 'owner', email: null });
  await withdrawInvitation(storage, account.id, second.invitation.id);
  await assert.rejects(findInvitation(storage.write, second.token), { code: 'NOT_FOUND' });
  const stale = await createInvitation(storage, { accountId: account.id, role: 'owner', email: null }, 0);
  await assert.rejects(findInvitation(storage.write, stale.token), { code: 'NOT_FOUND' });
});

onBothEngines('an accepted invitation does not verify the address', async (_t, place) => {
  const { account, signIn, storage } = await setUp(place);
  const { token } = await createInvitation(storage, {
    accountId: account.id,
    role: 'member',
    email: 'ada@example.org',
  });
  assert.equal(await acceptInvitation(storage, signIn, token, ada), 'created');
  const again = await createInvitation(storage, { accountId: account.id, role: 'member', email: 'ada@example.org' });
  const [member] = await membersOf(storage.write, account.id);
  await joinByInvitation(storage, again.token, { id: member!.personId, email: member!.email });
  const people = await storage.write.selectFrom('people').select('email_verified').execute();
  assert.deepEqual(
    people.map((person) => Boolean(person.email_verified)),
    [false],
  );
});

onBothEngines('a failed acceptance does not use up the invitation', async (_t, place) => {
  const { account, signIn, storage } = await setUpWithOwner(place);
  const { token } = await createInvitation(storage, { accountId: account.id, role: 'member', email: null });
  assert.equal(await acceptInvitation(storage, signIn, token, ada), 'must join');
  assert.equal((await findInvitation(storage.write, token)).email, 'ada@example.org');
});

onBothEngines(
  'a wrong password and an unknown person get the same response, and guessing is limited',
  async (_t, place) => {
    const { signIn } = await setUpWithOwner(place);
    const wrong = await signInWith(signIn, ada.email, 'not the password');
    const stranger = await signInWith(signIn, 'nobody@example.org', 'not the password');
    assert.equal(wrong.status, 401);
    assert.equal(stranger.status, 401);
    assert.equal(await wrong.text(), await stranger.text());
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1)
      statuses.push((await signInWith(signIn, ada.email, 'guess', '10.0.0.9')).status);
    assert.equal(statuses.at(-1), 429);
    assert.equal((await signInWith(signIn, ada.email, ada.password, '10.0.0.2')).status, 200);
  },
);

onBothEngines('sign-up is closed', async (_t, place) => {
  const { signIn } = await setUp(place);
  assert.equal((await postTo(signIn, '/sign-up/email', ada)).status, 400);
});

onBothEngines('the last owner of an account cannot be removed', async (_t, place) => {
  const { account, signIn, storage } = await setUpWithOwner(place);
  const { token } = await createInvitation(storage, { accountId: account.id, role: 'member', email: null });
  await acceptInvitation(storage, signIn, token, { ...ada, email: 'bo@example.org', name: 'Bo' });
  const [owner, member] = await membersOf(storage.write, account.id);
  await assert.rejects(removeMember(storage, account.id, owner!.personId), { code: 'CONFLICT' });
  await removeMember(storage, account.id, member!.personId);
  await assert.rejects(removeMember(storage, account.id, member!.personId), { code: 'NOT_FOUND' });
});

onBothEngines("a member's keys end with the membership, in that account only", async (_t, place) => {
  const { account, signIn, storage } = await setUpWithOwner(place);
  const elsewhere = await createAccount(storage, 'elsewhere');
  const { token } = await createInvitation(storage, { accountId: account.id, role: 'member', email: null });
  await acceptInvitation(storage, signIn, token, { ...ada, email: 'bo@example.org', name: 'Bo' });
  const [owner, member] = await membersOf(storage.write, account.id);
  const make = (accountId: string, name: string, personId: string | null) =>
    createKey(storage, { accountId, name, createdBy: name, personId });
  await make(account.id, 'of the member', member!.personId);
  await make(account.id, 'playground', member!.personId);
  await make(account.id, 'of the owner', owner!.personId);
  await make(account.id, 'command line', null);
  await make(elsewhere.id, 'in another account', member!.personId);
  await removeMember(storage, account.id, member!.personId);
  const keys = [...(await listKeys(storage.write, account.id)), ...(await listKeys(storage.write, elsewhere.id))];
  const revoked = keys.filter((key) => keyState(key, Date.now()) === 'revoked').map(({ name }) => name);
  assert.deepEqual(revoked.sort(), ['of the member', 'playground']);
});

onBothEngines("a former administrator's keys in accounts of others are revoked, on every server", async (t, place) => {
  const { account, signIn, storage } = await setUpWithOwner(place);
  const foreign = await createAccount(storage, 'foreign');
  const { token } = await createInvitation(storage, { accountId: account.id, role: 'member', email: null });
  await acceptInvitation(storage, signIn, token, { ...ada, email: 'bo@example.org', name: 'Bo' });
  const [owner, bo] = await membersOf(storage.write, account.id);
  await setAdministrator(storage, bo!.personId, true);
  const make = (accountId: string, name: string, personId: string | null) =>
    createKey(storage, { accountId, name, createdBy: name, personId });
  const { key } = await make(foreign.id, 'foreign', bo!.personId);
  await make(account.id, 'own', bo!.personId);
  await make(foreign.id, 'of another administrator', owner!.personId);
  await make(foreign.id, 'command line', null);
  let nowMs = 0;
  const clock = { now: Date.now, monotonicMs: () => nowMs };
  const authenticator = new CachedAuthenticator({ storage, defaults: DEFAULT_LIMITS, clock });
  t.after(() => authenticator.close());
  assert.equal((await authenticator.authenticate(key))?.accountId, foreign.id);

  await setAdministrator(storage, bo!.personId, false);
  const keys = [...(await listKeys(storage.write, account.id)), ...(await listKeys(storage.write, foreign.id))];
  const revoked = keys.filter((each) => keyState(each, Date.now()) === 'revoked').map(({ name }) => name);
  assert.deepEqual(revoked, ['foreign']);
  nowMs = 1_000;
  assert.equal(await authenticator.authenticate(key), null, 'running servers forget the key within a second');
});

onBothEngines('the database holds no token that opens a session', async (_t, place) => {
  const { signIn, storage } = await setUpWithOwner(place);
  const answer = await signInWith(signIn, ada.email, ada.password);
  const { token } = (await answer.json()) as { token: string };
  const { rows } = await sql<{ token: string }>`select token from person_sessions`.execute(storage.write);
  assert.deepEqual(rows, [{ token: storedSessionToken(token) }]);
  // A cookie made from the stored hash and the signing secret fails, because the hash is hashed again.
  const cookie = decodeURIComponent(cookiesOf(answer));
  const secret = (await signIn.$context).secret;
  const signed = (value: string) => `${value}.${createHmac('sha256', secret).update(value).digest('base64')}`;
  const withToken = (value: string) =>
    new Headers({ cookie: `${cookie.split('=')[0]}=${encodeURIComponent(signed(value))}` });
  assert.equal((await personSignedIn(signIn, withToken(token)))?.email, 'ada@example.org');
  assert.equal(await personSignedIn(signIn, withToken(rows[0]!.token)), null);
});
