// Opens the console: sign-in, mail, and the server's status for administrators.
import { fileURLToPath } from 'node:url';
import { openSmtpMailer } from '../accounts/people/mailer.ts';
import { PasswordHasher } from '../accounts/sign-in/password-hasher.ts';
import { openSignIn } from '../accounts/sign-in/sign-in.ts';
import type { Calls } from '../calls/calls.ts';
import { registerConsole } from '../endpoints/console/register.ts';
import { BUILD } from '../lib/process/version.ts';
import type { Config } from './config.ts';
import type { Accounts } from './open-accounts.ts';
import type { Database } from './open-database.ts';
import type { Web } from './open-http.ts';
import type { Jobs } from './open-jobs.ts';
import type { Base } from './open-observability.ts';
import type { Speech } from './open-speech.ts';
import type { Usage } from './open-usage.ts';
import { openStatusReader } from './server-status.ts';

export interface ConsoleSources {
  readonly base: Base;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly usage: Usage;
  readonly speech: Speech;
  readonly web: Web;
  readonly calls: Calls;
  readonly jobs: Jobs;
}

/** Compiled code is one folder deeper than its source. */
const SITE_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : '../../console', import.meta.url),
);

export const openConsole = async (sources: ConsoleSources): Promise<void> => {
  const { config, lifecycle, readiness, log } = sources.base;
  const { storage } = sources.database;
  const { transcription, engine, workers } = sources.speech;
  const status = lifecycle.own('status', openStatusReader({ config, storage, readiness, transcription, engine }));
  const passwords = lifecycle.own('password hashing', new PasswordHasher());
  const mailer =
    config.smtpUrl === undefined ? undefined : lifecycle.own('mail', openSmtpMailer(config.smtpUrl, config.smtpFrom));
  await registerConsole(sources.web.http, {
    storage,
    signer: sources.usage.signer,
    signIn: await openSignIn(storage, { publicUrl: config.publicUrl, oidc: oidcOf(config), passwords }),
    version: BUILD,
    models: config.models,
    defaultLimits: sources.accounts.limits,
    oidcName: config.oidcIssuer === undefined ? null : config.oidcName,
    publicUrl: config.publicUrl,
    countsVocabulary: config.vocabularyCounts,
    canEnrolVoices: config.voicesSecret !== undefined,
    fileFormats: config.fileFormats,
    uploadTimeoutMs: config.uploadTimeoutMs,
    longFiles: config,
    calls: sources.calls,
    prices: config.prices ?? null,
    jobs: sources.jobs.forConsole && { ...sources.jobs.forConsole, keepHours: config.jobsKeepHours },
    mailer,
    onMailFailure: (err) => log.warn({ err }, 'an e-mail was not sent'),
    siteFolder: SITE_FOLDER,
    status: () => status.read(),
    clusterStatus: () => workers?.status() ?? null,
  });
};

const oidcOf = ({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName }: Config) =>
  oidcIssuer === undefined
    ? undefined
    : { name: oidcName, issuer: oidcIssuer, clientId: oidcClientId ?? '', clientSecret: oidcClientSecret ?? '' };
