// Sign-in with OpenID Connect: openid-client handles the protocol and the ID token, better-auth the state and session.
import { createHash } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { z } from 'zod';
import { createAuthEndpoint } from '#better-auth/api';
import { setSessionCookie } from '#better-auth/cookies';
import { generateState, handleOAuthUserInfo, parseState } from '#better-auth/oauth2';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import { claimPerson } from '../people/claim-person.ts';

export interface OidcOptions {
  /** The label of the sign-in button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Where refused sign-ins are redirected. The page shows the parameter `error`. */
export const SIGN_IN_ERROR_PATH = '/console';

const PROVIDER_ID = 'oidc';
const SCOPE = 'openid email profile';
const REQUEST_TIMEOUT_SECONDS = 10;

/** Derived from the code verifier without revealing it. */
const nonceOf = (codeVerifier: string): string =>
  createHash('sha256').update(`nonce of ${codeVerifier}`).digest('base64url');

interface OidcIdentity {
  /** Issuer and subject, because subjects are unique only per issuer. */
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
}

/** Runs discovery once; a failure is not cached. */
const discoverOnce = ({ issuer, clientId, clientSecret }: OidcOptions): (() => Promise<Configuration>) => {
  let found: Promise<Configuration> | undefined;
  const insecure = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [];
  return () => {
    found ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      // Makes openid-client verify the signature of ID tokens from the token endpoint too.
      execute: [enableNonRepudiationChecks, ...insecure],
      timeout: REQUEST_TIMEOUT_SECONDS,
    }).catch((cause) => {
      found = undefined;
      throw new Fault('SERVICE_UNAVAILABLE', { message: 'Your organisation’s sign-in is unreachable.', cause });
    });
    return found;
  };
};

/** Exchanges the code, and verifies the ID token's signature, issuer, audience, expiry and nonce. */
const identify = async (
  config: Configuration,
  callback: URL,
  checks: { readonly state: string; readonly codeVerifier: string },
): Promise<OidcIdentity> => {
  const tokens = await authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: checks.codeVerifier,
    expectedState: checks.state,
    expectedNonce: nonceOf(checks.codeVerifier),
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('the provider sent no ID token');
  // Many providers omit the address from the ID token. fetchUserInfo checks that the profile has the same subject.
  const isComplete = 'email_verified' in claims || config.serverMetadata().userinfo_endpoint === undefined;
  const profile = isComplete ? claims : await fetchUserInfo(config, tokens.access_token, claims.sub);
  const email = typeof profile.email === 'string' ? profile.email.toLowerCase() : '';
  return {
    id: `${claims.iss} ${claims.sub}`,
    email,
    // Some providers send the boolean as a string.
    emailVerified: profile.email_verified === true || String(profile.email_verified) === 'true',
    name: typeof profile.name === 'string' ? profile.name : email,
  };
};

/** The two routes of the flow. Their paths are registered with providers and must not change. */
export const oidcPlugin = (storage: Storage, options: OidcOptions, errorPath: string) => {
  const provider = discoverOnce(options);
  return {
    id: 'oidc',
    endpoints: {
      signInWithProvider: createAuthEndpoint(
        '/sign-in/oauth2',
        { method: 'POST', body: z.object({ providerId: z.literal(PROVIDER_ID), callbackURL: z.string() }) },
        async (ctx) => {
          const config = await provider();
          const { state, codeVerifier } = await generateState(ctx, undefined, undefined);
          const url = buildAuthorizationUrl(config, {
            redirect_uri: `${ctx.context.baseURL}/oauth2/callback/${PROVIDER_ID}`,
            scope: SCOPE,
            state,
            nonce: nonceOf(codeVerifier),
            code_challenge: await calculatePKCECodeChallenge(codeVerifier),
            code_challenge_method: 'S256',
          });
          return ctx.json({ url: url.href, redirect: true });
        },
      ),
      providerCallback: createAuthEndpoint(
        `/oauth2/callback/${PROVIDER_ID}`,
        { method: 'GET', query: z.record(z.string(), z.unknown()) },
        async (ctx) => {
          const refuse = (error: string) => ctx.redirect(`${errorPath}?error=${error}`);
          // Also compares the state with the browser's cookie, and consumes it.
          const { codeVerifier, callbackURL } = await parseState(ctx);
          const callback = new URL(`${ctx.context.baseURL}/oauth2/callback/${PROVIDER_ID}`);
          callback.search = new URL(ctx.request?.url ?? callback).search;
          const state = callback.searchParams.get('state') ?? '';
          const person = await identify(await provider(), callback, { state, codeVerifier }).catch((cause) => {
            if (cause instanceof Fault) throw cause;
            ctx.context.logger.error('the provider’s response was rejected', cause);
            throw refuse('provider_refused');
          });
          if (person.emailVerified)
            await claimPerson(storage, PROVIDER_ID, { providerAccountId: person.id, email: person.email });
          const { data, error } = await handleOAuthUserInfo(ctx, {
            userInfo: person,
            // The provider's tokens are not stored: nothing uses them.
            account: { providerId: PROVIDER_ID, accountId: person.id },
            callbackURL,
            // Only invited people can sign in.
            disableSignUp: true,
          });
          if (error !== null || data === null)
            throw refuse(person.emailVerified ? 'not_invited' : 'email_not_verified');
          await setSessionCookie(ctx, data);
          throw ctx.redirect(callbackURL);
        },
      ),
    },
  };
};
