// The calls of the console's API, one function each.
import {
  type AcceptWelcome,
  type AccountSummary,
  accountDetail,
  accountSummary,
  type BudgetRecord,
  budgetRecord,
  clusterStatus,
  consoleJobMatches,
  consoleJobs,
  createdInvitation,
  createdKey,
  falseAlarms,
  jobBody,
  joined,
  keyRecord,
  type MemberRole,
  me,
  ownSignIn,
  passwordReset,
  playgroundKey,
  resetLink,
  serverPerson,
  serverStatus,
  type UsageQuery,
  usagePage,
  usageSummary,
  usageTotal,
  welcome,
} from '@faircopy/contract';
import { z } from 'zod';
import { CONSOLE_PATH } from '../paths.ts';
import { get, post, query, request } from './request.ts';

/** A path of the API; values are encoded. */
const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent));

const account = (accountId: string): string => path`/accounts/${accountId}`;
const adminAccount = (accountId: string): string => path`/admin/accounts/${accountId}`;
/** For links, which do not go through `request`. */
const urlOf = (apiPath: string): string => `${CONSOLE_PATH}/api${apiPath}`;

/** The totals of one account, or of all accounts of the server. */
export type TotalsScope = { readonly accountId: string } | 'server';
const totalsPath = (scope: TotalsScope): string =>
  scope === 'server' ? '/admin/usage/totals' : `${account(scope.accountId)}/usage/totals`;

/** A type, because an interface cannot be passed as a record of values. */
export type TotalsFilter = { readonly period: string; readonly since: string; readonly tag?: string | undefined };

export type Limits = AccountSummary['limits'];
export type BudgetSettings = Pick<BudgetRecord, 'key_id' | 'day_seconds' | 'month_seconds' | 'warn_percent' | 'stops'>;

/** Without a configured public URL, the server returns links without an origin. */
const withAbsoluteLink = <T extends { readonly link: string }>(created: T): T => ({
  ...created,
  link: new URL(created.link, location.origin).href,
});

/** In calls that change something, `before` is the value that the user saw. */
export const api = {
  me: () => get(me, '/me'),
  /** Rejects if nobody is signed in, even while `onSignedOut` is set. */
  meNow: async () => me.parse(await request('GET', '/me', undefined, false)),
  signIn: (email: string, password: string) => request('POST', '/auth/sign-in/email', { email, password }),
  renameMe: (name: string) => request('PATCH', '/me', { name }),
  ownSignIn: () => get(ownSignIn, '/me/sign-in'),
  endSession: (id: string) => request('DELETE', path`/me/sessions/${id}`),
  signOut: () => request('POST', '/auth/sign-out', {}),
  signOutEverywhere: () => request('POST', '/auth/revoke-sessions', {}),
  changePassword: (currentPassword: string, newPassword: string) =>
    request('POST', '/auth/change-password', { currentPassword, newPassword, revokeOtherSessions: true }),
  /** Returns the URL of the provider, which redirects to `returnTo` afterwards. */
  signInWithOidc: (returnTo = `${location.pathname}${location.search}`) =>
    post(z.object({ url: z.string() }), '/auth/sign-in/oauth2', { providerId: 'oidc', callbackURL: returnTo }),
  signInOptions: () => get(z.object({ oidc: z.string().nullable(), mail: z.boolean() }), '/sign-in-options'),
  forgottenPassword: (email: string) => request('POST', '/forgotten-password', { email }),
  passwordReset: (token: string) => get(passwordReset, path`/reset/${token}`),
  resetPassword: (token: string, password: string) => request('POST', path`/reset/${token}`, { password }),

  welcome: (token: string) => get(welcome, path`/welcome/${token}`),
  acceptWelcome: (token: string, body: AcceptWelcome) => request('POST', path`/welcome/${token}`, body),
  joinAccount: (token: string) => post(joined, path`/welcome/${token}/join`, {}),

  keys: (accountId: string) => get(z.array(keyRecord), `${account(accountId)}/keys`),
  createKey: (accountId: string, name: string, expiresAt: string | null) =>
    post(createdKey, `${account(accountId)}/keys`, { name, expires_at: expiresAt }),
  changeKey: (accountId: string, keyId: string, rules: object) =>
    request('PATCH', account(accountId) + path`/keys/${keyId}`, { rules }),
  revokeKey: (accountId: string, keyId: string) => request('DELETE', account(accountId) + path`/keys/${keyId}`),
  playgroundKey: (accountId: string) => post(playgroundKey, `${account(accountId)}/playground-key`, {}),

  usageSummary: (accountId: string, filter: UsageQuery) =>
    get(usageSummary, `${account(accountId)}/usage/summary${query(filter)}`),
  usageRecords: (accountId: string, filter: UsageQuery, cursor: string | undefined) =>
    get(usagePage, `${account(accountId)}/usage/records${query({ ...filter, cursor })}`),
  usageCsvUrl: (accountId: string, filter: UsageQuery) =>
    urlOf(`${account(accountId)}/usage/records.csv${query(filter)}`),
  receiptUrl: (accountId: string, requestId: string) => urlOf(account(accountId) + path`/receipts/${requestId}`),
  /** Without a tag, an export of all rows; with a tag, the receipts of its requests. */
  receiptsUrl: (accountId: string, { tag, since }: UsageQuery) =>
    urlOf(`${account(accountId)}/receipts${query(tag === undefined ? {} : { tag, since })}`),
  totals: (scope: TotalsScope, filter: TotalsFilter) =>
    get(z.array(usageTotal), `${totalsPath(scope)}${query(filter)}`),
  totalsCsvUrl: (scope: TotalsScope, filter: TotalsFilter) => urlOf(`${totalsPath(scope)}.csv${query(filter)}`),

  /** A page of jobs older than `before`. An empty state means any. */
  jobs: (accountId: string, before: string | null, state: string) =>
    get(consoleJobs, `${account(accountId)}/jobs${query({ before: before ?? undefined, state })}`),
  job: (accountId: string, id: string) => get(jobBody, account(accountId) + path`/jobs/${id}`),
  /** The user's own jobs whose text contains the words. */
  jobMatches: (accountId: string, words: string) =>
    get(consoleJobMatches, `${account(accountId)}/jobs/matches${query({ words })}`),
  cancelJob: (accountId: string, id: string) => request('POST', account(accountId) + path`/jobs/${id}/cancel`, {}),

  account: (accountId: string) => get(accountDetail, account(accountId)),
  rename: (accountId: string, name: string, before: string) => request('PATCH', account(accountId), { name, before }),
  setLanguages: (accountId: string, languages: readonly string[]) =>
    request('PUT', `${account(accountId)}/languages`, { languages }),
  invite: (accountId: string, email: string | null, role: MemberRole) =>
    post(createdInvitation, `${account(accountId)}/invitations`, { email, role }).then(withAbsoluteLink),
  withdrawInvitation: (accountId: string, id: string) =>
    request('DELETE', account(accountId) + path`/invitations/${id}`),
  removeMember: (accountId: string, personId: string) =>
    request('DELETE', account(accountId) + path`/members/${personId}`),
  setRole: (accountId: string, personId: string, role: MemberRole) =>
    request('PATCH', account(accountId) + path`/members/${personId}`, { role }),
  setVocabulary: (accountId: string, terms: readonly string[], before: readonly string[]) =>
    request('PUT', `${account(accountId)}/vocabulary`, { terms, before }),
  countFalseAlarm: (accountId: string, term: string) =>
    post(falseAlarms, `${account(accountId)}/vocabulary/false-alarms`, { term }),
  budgets: (accountId: string) => get(z.array(budgetRecord), `${account(accountId)}/budgets`),
  setBudget: (accountId: string, settings: BudgetSettings, before: BudgetSettings | null) =>
    request('PUT', `${account(accountId)}/budgets`, { ...settings, before }),

  accounts: () => get(z.array(accountSummary), '/admin/accounts'),
  createAccount: (name: string) => post(accountSummary, '/admin/accounts', { name }),
  setLimits: (accountId: string, limits: Limits, before: Limits) =>
    request('PATCH', adminAccount(accountId), { limits, before }),
  closeAccount: (accountId: string) => request('POST', `${adminAccount(accountId)}/close`, {}),
  people: () => get(z.array(serverPerson), '/admin/people'),
  setAdministrator: (personId: string, isAdministrator: boolean) =>
    request('PATCH', path`/admin/people/${personId}`, { is_administrator: isAdministrator }),
  resetLink: (personId: string) => post(resetLink, path`/admin/people/${personId}/reset`, {}).then(withAbsoluteLink),
  status: () => get(serverStatus, '/admin/status'),
  /** Null on a server without a cluster. */
  clusterStatus: () => get(clusterStatus.nullable(), '/admin/cluster'),
};
