// Configures better-auth: e-mail and password, sessions in cookies, optional OpenID Connect.
import { betterAuth } from '#better-auth';
import { createAuthMiddleware, isAPIError } from '#better-auth/api';
import { Fault } from '../../lib/fault.ts';
import { basePathOf } from '../../lib/net/base-path.ts';
import type { Storage } from '../../storage/open.ts';
import { type OidcOptions, oidcPlugin, SIGN_IN_ERROR_PATH } from './oidc.ts';
import { PasswordHasher, type Passwords } from './password-hasher.ts';
import { serverSecret } from './server-secret.ts';
import { sessionHashingAdapter } from './session-tokens.ts';
import { attemptsKeyOf, PER_PERSON, SignInAttempts } from './sign-in-attempts.ts';

/** The base path of the library's routes, which the console calls directly. */
export const SIGN_IN_PATH = '/console/api/auth';
/** The client's address. The server sets it on every request and ignores the client's header. */
export const PEER_HEADER = 'x-faircopy-peer';

export interface SignInOptions {
  /** The public address of the service. Cookies are secure if it is https. */
  readonly publicUrl: string | undefined;
  readonly oidc: OidcOptions | undefined;
  readonly passwords?: Passwords;
}

const DAY_SECONDS = 24 * 60 * 60;

/** Adds a limit per person to the library's limit per address. */
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
      if (key !== null && ctx.context.newSession) await attempts.reset(key);
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
    // With a path, better-auth uses the base URL as is; without one it would append basePath.
    ...(options.publicUrl === undefined ? {} : { baseURL: `${options.publicUrl}${SIGN_IN_PATH}` }),
    basePath: `${basePath}${SIGN_IN_PATH}`,
    secret: await serverSecret(storage),
    database: sessionHashingAdapter(storage),
    telemetry: { enabled: false },
    // The server's access log covers these requests without personal data.
    logger: { disabled: true },
    onAPIError: {
      errorURL: `${basePath}${SIGN_IN_ERROR_PATH}`,
      // Faults and unexpected errors get the same response as on every other route.
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
    plugins: options.oidc ? [oidcPlugin(storage, options.oidc, `${basePath}${SIGN_IN_ERROR_PATH}`)] : [],
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
      // No provider is trusted without `email_verified`.
      accountLinking: { enabled: true, trustedProviders: [] },
    },
    verification: { modelName: 'person_verifications', fields: { expiresAt: 'expires_at', ...times } },
    rateLimit: {
      enabled: true,
      customStorage: {
        consume: (key, rule) => attempts.consume(key, rule),
        // Required by the type; the library uses the atomic `consume` instead.
        get: async () => null,
        set: async () => {},
      },
      window: 60,
      max: 120,
      customRules: {
        '/sign-in/email': { window: 60, max: 8 },
        '/change-password': { window: 60, max: 8 },
        // Called on every page; reads one indexed row.
        '/get-session': false,
      },
    },
    advanced: {
      cookiePrefix: 'faircopy',
      // Other services on the same host do not receive the cookie.
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true, path: basePath || '/' },
      ipAddress: { ipAddressHeaders: [PEER_HEADER] },
    },
  });
};

export type SignIn = Awaited<ReturnType<typeof openSignIn>>;
