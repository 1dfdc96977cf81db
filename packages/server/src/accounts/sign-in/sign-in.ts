// Signing in, on better-auth over our own database: e-mail and password, sessions in cookies, optional OpenID Connect.
import { betterAuth } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import { Fault } from '../../lib/fault.ts';
import { basePathOf } from '../../lib/net/base-path.ts';
import type { Storage } from '../../storage/open.ts';
import { type OidcOptions, oidcPlugin, SIGN_IN_ERROR_PATH } from './oidc.ts';
import { PasswordHasher } from './password-hasher.ts';
import { serverSecret } from './server-secret.ts';
import { sessionHashingAdapter } from './session-tokens.ts';
import { attemptsKeyOf, PER_PERSON, SignInAttempts } from './sign-in-attempts.ts';

/** Where the library's own routes live; the console calls them directly. */
export const SIGN_IN_PATH = '/console/api/auth';
/** The client's address as we know it: set by us on every request, never taken from outside. */
export const PEER_HEADER = 'x-faircopy-peer';

export interface SignInOptions {
  /** How browsers reach the service; cookies are marked secure when it is https. */
  readonly publicUrl: string | undefined;
  readonly oidc: OidcOptions | undefined;
  readonly passwords?: PasswordHasher;
}

const DAY_SECONDS = 24 * 60 * 60;

/** Besides the count per address: one person's password is not guessed at from many addresses either. */
const perPersonLimit = (attempts: SignInAttempts) => {
  const personTried = ({ path, body }: { readonly path?: string | undefined; readonly body?: unknown }) => {
    const email = (body as { readonly email?: unknown } | undefined)?.email;
    return path === '/sign-in/email' && typeof email === 'string' ? attemptsKeyOf(email) : null;
  };
  return {
    before: createAuthMiddleware(async (ctx) => {
      const key = personTried(ctx);
      if (key === null) return;
      const { allowed, retryAfter } = await attempts.consume(key, PER_PERSON);
      if (!allowed) throw new Fault('RATE_LIMITED', { retryAfterSeconds: retryAfter ?? PER_PERSON.window });
    }),
    after: createAuthMiddleware(async (ctx) => {
      const key = personTried(ctx);
      if (key !== null && ctx.context.newSession) await attempts.forget(key);
    }),
  };
};

export const openSignIn = async (storage: Storage, options: SignInOptions) => {
  const passwords = options.passwords ?? new PasswordHasher();
  const attempts = new SignInAttempts(storage);
  const basePath = basePathOf(options.publicUrl);
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Faircopy',
    // An address with a path is taken as it is; one without would have the other path added.
    ...(options.publicUrl === undefined ? {} : { baseURL: `${options.publicUrl}${SIGN_IN_PATH}` }),
    basePath: `${basePath}${SIGN_IN_PATH}`,
    secret: await serverSecret(storage),
    database: sessionHashingAdapter(storage),
    telemetry: { enabled: false },
    // Our own access log says what happened, without addresses of people in it.
    logger: { disabled: true },
    onAPIError: {
      errorURL: `${basePath}${SIGN_IN_ERROR_PATH}`,
      // Faults of ours and failures nobody foresaw are answered like those of every other route.
      onError: (thrown) => {
        if (!isAPIError(thrown)) throw thrown;
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      maxPasswordLength: 256,
      password: { hash: (password) => passwords.hash(password), verify: (pair) => passwords.verify(pair) },
    },
    hooks: perPersonLimit(attempts),
    plugins: options.oidc ? [oidcPlugin(options.oidc, `${basePath}${SIGN_IN_ERROR_PATH}`)] : [],
    user: {
      modelName: 'people',
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: {
        isAdministrator: { type: 'boolean', fieldName: 'is_administrator', input: false, defaultValue: false },
      },
    },
    session: {
      modelName: 'person_sessions',
      fields: {
        userId: 'person_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      expiresIn: 7 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
    },
    account: {
      modelName: 'person_credentials',
      fields: {
        userId: 'person_id',
        providerId: 'provider_id',
        accountId: 'provider_account_id',
        password: 'password_hash',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
      // No provider is trusted by its name: it must say that it has verified the address.
      accountLinking: { enabled: true, trustedProviders: [] },
    },
    verification: { modelName: 'person_verifications', fields: { expiresAt: 'expires_at', ...times } },
    rateLimit: {
      enabled: true,
      customStorage: {
        consume: (key, rule) => attempts.consume(key, rule),
        // The two halves of a count that is not one step; `consume` is used in their place.
        get: async () => null,
        set: async () => {},
      },
      window: 60,
      max: 120,
      customRules: {
        '/sign-in/email': { window: 60, max: 8 },
        '/change-password': { window: 60, max: 8 },
        // Asked on every page; it reads one indexed row.
        '/get-session': false,
      },
    },
    advanced: {
      cookiePrefix: 'faircopy',
      // Other services of the same host need not see it.
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true, path: basePath || '/' },
      ipAddress: { ipAddressHeaders: [PEER_HEADER] },
    },
  });
};

export type SignIn = Awaited<ReturnType<typeof openSignIn>>;
