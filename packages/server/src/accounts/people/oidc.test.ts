import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { onBothEngines } from '../../storage/testing/engines.ts';
import { createAccount } from '../accounts.ts';
import { createInvitation } from './invitations.ts';
import { acceptInvitation, personSignedIn } from './people.ts';
import { openSignIn, PEER_HEADER, SIGN_IN_PATH, type SignIn } from './sign-in.ts';

const ORIGIN = 'http://127.0.0.1:8080';

/** An OpenID Connect provider that vouches for whoever it is told to. */
const startProvider = async (t: TestContext) => {
  let email = '';
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
      },
      '/token': { access_token: 'access', token_type: 'Bearer', expires_in: 60 },
      '/userinfo': { sub: `subject of ${email}`, email, email_verified: true, name: 'Someone' },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[(request.url ?? '').split('?', 1)[0] ?? ''] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    issuer: `http://127.0.0.1:${port}`,
    vouchFor: (address: string) => {
      email = address;
    },
  };
};

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** The way of a browser through the provider and back; resolves to the headers it ends up with. */
const signInThrough = async (signIn: SignIn): Promise<Headers> => {
  const start = await signIn.handler(
    new Request(`${ORIGIN}${SIGN_IN_PATH}/sign-in/oauth2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, [PEER_HEADER]: '10.0.0.1' },
      body: JSON.stringify({ providerId: 'oidc', callbackURL: '/console/' }),
    }),
  );
  assert.equal(start.status, 200, await start.clone().text());
  const { url } = (await start.json()) as { url: string };
  const asked = new URL(url).searchParams;
  assert.equal(asked.get('redirect_uri'), `${ORIGIN}${SIGN_IN_PATH}/oauth2/callback/oidc`);
  assert.ok(asked.get('code_challenge'));
  const back = new URL(`${ORIGIN}${SIGN_IN_PATH}/oauth2/callback/oidc`);
  back.searchParams.set('code', 'a code');
  back.searchParams.set('state', asked.get('state') ?? '');
  const end = await signIn.handler(
    new Request(back, { headers: { cookie: cookiesOf(start), [PEER_HEADER]: '10.0.0.1' } }),
  );
  assert.equal(end.status, 302);
  return new Headers({ cookie: cookiesOf(end) });
};

onBothEngines('the organisation’s provider lets invited people in, and nobody else', async (t, { storage }) => {
  const provider = await startProvider(t);
  const account = await createAccount(storage, 'default');
  const signIn = await openSignIn(storage, {
    publicUrl: ORIGIN,
    oidc: { name: 'Acme', issuer: provider.issuer, clientId: 'client', clientSecret: 'secret' },
  });
  const { token } = await createInvitation(storage, {
    accountId: account.id,
    role: 'member',
    email: 'ada@example.org',
  });
  await acceptInvitation(storage, signIn, token, {
    name: 'Ada',
    email: 'ada@example.org',
    password: 'a long enough one',
  });

  provider.vouchFor('ada@example.org');
  const person = await personSignedIn(signIn, await signInThrough(signIn));
  assert.equal(person?.email, 'ada@example.org');

  provider.vouchFor('stranger@example.org');
  assert.equal(await personSignedIn(signIn, await signInThrough(signIn)), null);
  const people = await storage.write.selectFrom('people').select('email').execute();
  assert.deepEqual(people, [{ email: 'ada@example.org' }]);
});
