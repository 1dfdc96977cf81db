import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Storage } from '../../storage/open.ts';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { createAccount } from '../accounts.ts';
import { createInvitation } from '../people/invitations.ts';
import { createPasswordReset, findPasswordReset } from '../people/password-resets.ts';
import { acceptInvitation, personSignedIn } from '../people/people.ts';
import { openSignIn, PEER_HEADER, SIGN_IN_PATH, type SignIn } from './sign-in.ts';
import {
  CLIENT,
  type Claims,
  type OidcProvider,
  type ProviderAnswer,
  startOidcProvider,
} from './testing/oidc-provider.ts';
import { cookiesOf, ORIGIN, postTo } from './testing/requests.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };
const MALLORY = { sub: 'mallory', email: 'ada@example.org', email_verified: true, name: 'Mallory' };

let peer = 0;
/** Signs in through the provider as a browser would. Each call uses a new address, because attempts are limited. */
const signInThrough = async (signIn: SignIn, provider: OidcProvider) => {
  const address = `10.0.0.${++peer}`;
  const provided = { providerId: 'oidc', callbackURL: '/console/' };
  const start = await postTo(signIn, '/sign-in/oauth2', provided, address);
  assert.equal(start.status, 200, await start.clone().text());
  const asked = new URL(((await start.json()) as { url: string }).url);
  const back = new URL(`${ORIGIN}${SIGN_IN_PATH}/oauth2/callback/oidc`);
  back.searchParams.set('code', provider.authorize(asked));
  back.searchParams.set('state', asked.searchParams.get('state') ?? '');
  const end = await signIn.handler(
    new Request(back, { headers: { cookie: cookiesOf(start), [PEER_HEADER]: address } }),
  );
  assert.equal(end.status, 302);
  const person = await personSignedIn(signIn, new Headers({ cookie: cookiesOf(end) }));
  return { person, asked, location: end.headers.get('location') ?? '' };
};

const open = async (t: TestContext, storage: Storage) => {
  const provider = await startOidcProvider(t);
  const account = await createAccount(storage, 'default');
  const signIn = await openSignIn(storage, {
    publicUrl: ORIGIN,
    oidc: { name: 'Acme', issuer: provider.issuer, ...CLIENT },
  });
  const invitation = { accountId: account.id, role: 'member', email: ADA.email } as const;
  const { token } = await createInvitation(storage, invitation);
  await acceptInvitation(storage, signIn, token, { name: 'Ada', email: ADA.email, password: 'a long enough one' });
  return { provider, signIn };
};

const HOSTILE: Record<string, ProviderAnswer> = {
  'a foreign issuer': { change: (claims) => ({ ...claims, iss: 'https://elsewhere.example' }) },
  'a foreign audience': { change: (claims) => ({ ...claims, aud: 'another client' }) },
  'several audiences, issued to another': {
    change: (claims) => ({ ...claims, aud: [CLIENT.clientId, 'another'], azp: 'another' }),
  },
  'an expired token': { change: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 }) },
  'a wrong nonce': { change: (claims) => ({ ...claims, nonce: 'of another attempt' }) },
  'no nonce': { change: ({ nonce: _nonce, ...claims }) => claims },
  'no subject': { change: ({ sub: _sub, ...claims }) => claims },
  'a foreign key': { foreignKey: true },
  'no signature': { algorithm: 'none' },
  'the public key as shared secret': { algorithm: 'HS256' },
  'no ID token at all': { withoutIdToken: true },
};

onBothEngines('the provider lets in invited people only', async (t, { storage }) => {
  const { provider, signIn } = await open(t, storage);
  provider.setPerson(ADA);
  const first = await signInThrough(signIn, provider);
  assert.equal(first.person?.email, ADA.email);
  assert.equal(first.asked.searchParams.get('redirect_uri'), `${ORIGIN}${SIGN_IN_PATH}/oauth2/callback/oidc`);
  assert.ok((first.asked.searchParams.get('nonce') ?? '').length >= 22);
  assert.equal(provider.seen.pkceChecked, 1);

  provider.setPerson({ sub: 'stranger', email: 'stranger@example.org', email_verified: true });
  const stranger = await signInThrough(signIn, provider);
  assert.equal(stranger.person, null);
  assert.match(stranger.location, /error=not_invited/);
  const people = await storage.write.selectFrom('people').select('email').execute();
  assert.deepEqual(people, [{ email: ADA.email }]);
});

onBothEngines('ES256 signatures and an address from the userinfo endpoint are accepted', async (t, { storage }) => {
  const { provider, signIn } = await open(t, storage);
  provider.setPerson(ADA, { algorithm: 'ES256' });
  assert.equal((await signInThrough(signIn, provider)).person?.email, ADA.email);
  provider.setPerson({ sub: 'ada' }, { userInfo: ADA });
  assert.equal((await signInThrough(signIn, provider)).person?.email, ADA.email);
  provider.setPerson({ sub: 'mallory' }, { userInfo: ADA });
  assert.equal((await signInThrough(signIn, provider)).person, null);
});

onBothEngines('an unverified address opens no session', async (t, { storage }) => {
  const { provider, signIn } = await open(t, storage);
  for (const email_verified of [false, 'false', null, undefined, 1]) {
    const claims: Claims = { ...MALLORY, email_verified };
    provider.setPerson(claims, { userInfo: claims });
    const { person, location } = await signInThrough(signIn, provider);
    assert.equal(person, null, String(email_verified));
    assert.match(location, /error=email_not_verified/);
  }
});

onBothEngines('an invalid token is refused, before and after linking', async (t, { storage }) => {
  const { provider, signIn } = await open(t, storage);
  for (const stage of ['before', 'after']) {
    for (const [what, answer] of Object.entries(HOSTILE)) {
      provider.setPerson(ADA, answer);
      const { person, location } = await signInThrough(signIn, provider);
      assert.equal(person, null, `${what}, ${stage} linking`);
      assert.match(location, /error=provider_refused/, what);
    }
    provider.setPerson(ADA);
    assert.equal((await signInThrough(signIn, provider)).person?.email, ADA.email);
  }
});

onBothEngines('the owner of an address takes over a person whom someone else created', async (t, { storage }) => {
  const { provider, signIn } = await open(t, storage);
  const own = { email: ADA.email, password: 'a long enough one' };
  const withPassword = () => postTo(signIn, '/sign-in/email', own, `10.0.1.${++peer}`);
  const attacker = await withPassword();
  assert.equal(attacker.status, 200);
  const session = new Headers({ cookie: cookiesOf(attacker) });
  const { id } = (await personSignedIn(signIn, session))!;
  const reset = await createPasswordReset(storage, id);

  provider.setPerson(ADA);
  const first = await signInThrough(signIn, provider);
  assert.equal(first.person?.id, id);
  assert.equal((await withPassword()).status, 401);
  assert.equal(await personSignedIn(signIn, session), null);
  await assert.rejects(findPasswordReset(storage.write, reset.token), { code: 'NOT_FOUND' });

  // Only the first sign-in through the provider ends sessions.
  await signInThrough(signIn, provider);
  assert.equal((await storage.write.selectFrom('person_sessions').select('id').execute()).length, 2);
});

onBothEngines('no token of the provider is stored', async (t, { storage }) => {
  const { provider, signIn } = await open(t, storage);
  provider.setPerson(ADA);
  await signInThrough(signIn, provider);
  const rows = await storage.write.selectFrom('person_credentials').selectAll().execute();
  const linked = rows.find((row) => row.provider_id === 'oidc') as unknown as Record<string, unknown>;
  assert.equal(linked.provider_account_id, `${provider.issuer} ada`);
  for (const token of ['access_token', 'refresh_token', 'id_token']) assert.equal(linked[token], null, token);
});
