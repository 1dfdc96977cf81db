// An OpenID Connect provider for tests, with discovery, PKCE and optionally forged ID tokens.
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Claims = Record<string, unknown>;
export type Algorithm = 'RS256' | 'ES256' | 'HS256' | 'none';

export interface ProviderAnswer {
  readonly algorithm?: Algorithm;
  /** Signs with an unpublished key. */
  readonly foreignKey?: boolean;
  /** Alters the correct claims. */
  readonly change?: (claims: Claims) => Claims;
  /** The response of the userinfo endpoint. */
  readonly userInfo?: Claims;
  /** Sends only an access token. */
  readonly withoutIdToken?: boolean;
}

export const CLIENT = { clientId: 'client', clientSecret: 'secret' } as const;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const keys = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

const signatureOf = (text: string, algorithm: Algorithm, foreignKey: boolean): string => {
  if (algorithm === 'none') return '';
  if (algorithm === 'HS256') {
    // Algorithm confusion: uses the public key as a shared secret.
    const secret = keys.RS256.publicKey.export({ type: 'spki', format: 'pem' });
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
  const key: KeyObject = foreignKey ? foreign.privateKey : keys[algorithm].privateKey;
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
};

const tokenOf = (claims: Claims, { algorithm = 'RS256', foreignKey = false }: ProviderAnswer): string => {
  const text = `${encoded({ alg: algorithm, kid: algorithm, typ: 'JWT' })}.${encoded(claims)}`;
  return `${text}.${signatureOf(text, algorithm, foreignKey)}`;
};

const published = () =>
  (['RS256', 'ES256'] as const).map((alg) => ({
    ...keys[alg].publicKey.export({ format: 'jwk' }),
    kid: alg,
    alg,
    use: 'sig',
  }));

interface Grant {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

export const startOidcProvider = async (t: { after(close: () => void): void }) => {
  let answer: ProviderAnswer = {};
  let person: Claims = {};
  const grants = new Map<string, Grant>();
  const seen = { pkceChecked: 0 };

  const tokenFor = (form: URLSearchParams): object | null => {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) return null;
    seen.pkceChecked++;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const correct: Claims = {
      iss: issuer(),
      aud: CLIENT.clientId,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      nonce: grant.nonce,
      ...person,
    };
    const idToken = tokenOf(answer.change?.(correct) ?? correct, answer);
    const plain = { access_token: 'access', token_type: 'Bearer', expires_in: 60 };
    return answer.withoutIdToken ? plain : { ...plain, id_token: idToken };
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = answerTo(request.url ?? '', new URLSearchParams(Buffer.concat(chunks).toString()));
      response.writeHead(body === null ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { error: 'invalid_grant' }));
    });
  });
  const issuer = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answerTo = (path: string, form: URLSearchParams): object | null => {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer: issuer(),
          authorization_endpoint: `${issuer()}/authorize`,
          token_endpoint: `${issuer()}/token`,
          userinfo_endpoint: `${issuer()}/userinfo`,
          jwks_uri: `${issuer()}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256', 'ES256'],
          code_challenge_methods_supported: ['S256'],
        };
      case '/keys':
        return { keys: published() };
      case '/token':
        return tokenFor(form);
      case '/userinfo':
        return answer.userInfo ?? person;
      default:
        return null;
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());

  return {
    issuer: issuer(),
    seen,
    /** Sets the person signed in at the provider, and what the provider sends. */
    setPerson: (claims: Claims, how: ProviderAnswer = {}) => {
      person = claims;
      answer = how;
    },
    /** Returns the code for an authorization request, as if the person had agreed. */
    authorize: (address: URL): string => {
      const code = randomUUID();
      const asked = address.searchParams;
      grants.set(code, {
        nonce: asked.get('nonce'),
        challenge: asked.get('code_challenge_method') === 'S256' ? asked.get('code_challenge') : null,
        redirectUri: asked.get('redirect_uri'),
      });
      return code;
    },
  };
};

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;
