// Every call the console makes, by name.
import {
  type AcceptWelcome,
  accountDetail,
  accountSummary,
  createdInvitation,
  createdKey,
  joined,
  keyRecord,
  type MemberRole,
  me,
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
import { HOME } from '../base-path.ts';
import { get, post, query, request } from './request.ts';

const account = (accountId: string) => `/accounts/${encodeURIComponent(accountId)}`;

/** One account, or all of the server. */
export type TotalsOf = { readonly accountId: string } | 'server';
const totalsPath = (whose: TotalsOf): string =>
  whose === 'server' ? '/admin/usage/totals' : `${account(whose.accountId)}/usage/totals`;

export interface Limits {
  max_streams: number | null;
  max_duration_seconds: number | null;
  max_uploads: number | null;
  max_waiting_seconds: number | null;
}

export const api = {
  me: () => get(me, '/me'),
  /** Fails when nobody is signed in, whoever was. */
  meNow: async () => me.parse(await request('GET', '/me', undefined, false)),
  signIn: (email: string, password: string) => request('POST', '/auth/sign-in/email', { email, password }),
  signOut: () => request('POST', '/auth/sign-out', {}),
  signOutEverywhere: () => request('POST', '/auth/revoke-sessions', {}),
  changePassword: (currentPassword: string, newPassword: string) =>
    request('POST', '/auth/change-password', { currentPassword, newPassword, revokeOtherSessions: true }),
  /** The address of the provider, which sends people back to this page, or to another of ours. */
  signInWithOidc: (returnTo = `${location.pathname}${location.search}`) =>
    post(z.object({ url: z.string() }), '/auth/sign-in/oauth2', { providerId: 'oidc', callbackURL: returnTo }),
  signInOptions: () => get(z.object({ oidc: z.string().nullable(), mail: z.boolean() }), '/sign-in-options'),
  forgottenPassword: (email: string) => request('POST', '/forgotten-password', { email }),
  passwordReset: (token: string) => get(passwordReset, `/reset/${encodeURIComponent(token)}`),
  resetPassword: (token: string, password: string) =>
    request('POST', `/reset/${encodeURIComponent(token)}`, { password }),

  welcome: (token: string) => get(welcome, `/welcome/${encodeURIComponent(token)}`),
  acceptWelcome: (token: string, body: AcceptWelcome) => request('POST', `/welcome/${encodeURIComponent(token)}`, body),
  joinAccount: (token: string) => post(joined, `/welcome/${encodeURIComponent(token)}/join`, {}),

  keys: (accountId: string) => get(z.array(keyRecord), `${account(accountId)}/keys`),
  createKey: (accountId: string, name: string, expiresAt: string | null) =>
    post(createdKey, `${account(accountId)}/keys`, { name, expires_at: expiresAt }),
  revokeKey: (accountId: string, keyId: string) =>
    request('DELETE', `${account(accountId)}/keys/${encodeURIComponent(keyId)}`),
  playgroundKey: (accountId: string) => post(playgroundKey, `${account(accountId)}/playground-key`, {}),

  usageSummary: (accountId: string, filter: UsageQuery) =>
    get(usageSummary, `${account(accountId)}/usage/summary${query(filter)}`),
  usageRecords: (accountId: string, filter: UsageQuery, cursor: string | undefined) =>
    get(usagePage, `${account(accountId)}/usage/records${query({ ...filter, cursor })}`),
  usageCsvAddress: (accountId: string, filter: UsageQuery) =>
    `${HOME}/api${account(accountId)}/usage/records.csv${query(filter)}`,

  account: (accountId: string) => get(accountDetail, account(accountId)),
  invite: (accountId: string, email: string | null, role: MemberRole) =>
    post(createdInvitation, `${account(accountId)}/invitations`, { email, role }),
  withdrawInvitation: (accountId: string, id: string) =>
    request('DELETE', `${account(accountId)}/invitations/${encodeURIComponent(id)}`),
  removeMember: (accountId: string, personId: string) =>
    request('DELETE', `${account(accountId)}/members/${encodeURIComponent(personId)}`),
  setRole: (accountId: string, personId: string, role: MemberRole) =>
    request('PATCH', `${account(accountId)}/members/${encodeURIComponent(personId)}`, { role }),
  setVocabulary: (accountId: string, terms: readonly string[], before: readonly string[]) =>
    request('PUT', `${account(accountId)}/vocabulary`, { terms, before }),
  rename: (accountId: string, name: string, before: string) => request('PATCH', account(accountId), { name, before }),

  accounts: () => get(z.array(accountSummary), '/admin/accounts'),
  createAccount: (name: string) => post(accountSummary, '/admin/accounts', { name }),
  setLimits: (accountId: string, limits: Limits, before: Limits) =>
    request('PATCH', `/admin/accounts/${encodeURIComponent(accountId)}`, { limits, before }),
  closeAccount: (accountId: string) => request('POST', `/admin/accounts/${encodeURIComponent(accountId)}/close`, {}),
  people: () => get(z.array(serverPerson), '/admin/people'),
  setAdministrator: (personId: string, isAdministrator: boolean) =>
    request('PATCH', `/admin/people/${encodeURIComponent(personId)}`, { is_administrator: isAdministrator }),
  resetLink: (personId: string) => post(resetLink, `/admin/people/${encodeURIComponent(personId)}/reset`, {}),
  totals: (whose: TotalsOf, period: string, since: string) =>
    get(z.array(usageTotal), `${totalsPath(whose)}${query({ period, since })}`),
  totalsCsvAddress: (whose: TotalsOf, period: string, since: string) =>
    `${HOME}/api${totalsPath(whose)}.csv${query({ period, since })}`,
  status: () => get(serverStatus, '/admin/status'),
};
