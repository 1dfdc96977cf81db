// Creates a NATS operator, account and user with signed tokens, as `nsc` does.
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const base64url = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');

const token = (issuer: KeyPair, subject: string, name: string, claims: object): string => {
  const head = base64url(JSON.stringify({ typ: 'JWT', alg: 'ed25519-nkey' }));
  const body = base64url(
    JSON.stringify({
      jti: name,
      iat: Math.floor(Date.now() / 1000),
      iss: issuer.getPublicKey(),
      sub: subject,
      name,
      nats: { ...claims, version: 2 },
    }),
  );
  return `${head}.${body}.${base64url(issuer.sign(Buffer.from(`${head}.${body}`)))}`;
};

const NO_LIMITS = { subs: -1, data: -1, payload: -1 };

export interface NatsCredentials {
  /** For the server's configuration file. */
  readonly settings: string;
  /** Content of a .creds file. */
  readonly creds: string;
}

export const makeNatsCredentials = (): NatsCredentials => {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const operatorToken = token(operator, operator.getPublicKey(), 'operator', { type: 'operator' });
  const accountToken = token(operator, account.getPublicKey(), 'account', {
    type: 'account',
    limits: { ...NO_LIMITS, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  });
  const userToken = token(account, user.getPublicKey(), 'user', { type: 'user', ...NO_LIMITS });
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    settings: `operator: ${operatorToken}\nresolver: MEMORY\nresolver_preload: { ${account.getPublicKey()}: ${accountToken} }`,
    creds: `-----BEGIN NATS USER JWT-----\n${userToken}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  };
};
