// Routes for administrators: all accounts, everyone who can sign in, and the server's status.
import { type AccountSummary, accountLimits, changePerson, type ServerPerson } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { countKeysAndMembers } from '../../accounts/account-counts.ts';
import { createAccount, type LimitsChange, listAccounts, setLimits } from '../../accounts/accounts.ts';
import { closeAccount } from '../../accounts/close-account.ts';
import { listPeople, setAdministrator } from '../../accounts/people/administrators.ts';
import { passwordResetMail } from '../../accounts/people/mailer.ts';
import { setMembership } from '../../accounts/people/members.ts';
import { createPasswordReset } from '../../accounts/people/password-resets.ts';
import { Fault } from '../../lib/fault.ts';
import { sumUsage } from '../../usage/reports/sums.ts';
import { administrator, consoleLink, parsed, sendMail } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { firstOf30Days, iso, isoOrNull, limitsShape } from './shapes.ts';

const createAccountBody = z.object({ name: z.string().trim().min(1).max(200) });
const changeAccountBody = z.object({ limits: accountLimits.partial(), before: accountLimits.partial().optional() });

const limitsChange = (limits: z.infer<typeof changeAccountBody>['limits']): LimitsChange => ({
  maxStreams: limits.max_streams,
  maxDurationSeconds: limits.max_duration_seconds,
  maxUploads: limits.max_uploads,
  maxWaitingSeconds: limits.max_waiting_seconds,
});

export const registerAdminRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage } = ports;

  const summaries = async (): Promise<AccountSummary[]> => {
    const [accounts, counts, sums] = await Promise.all([
      listAccounts(storage.read),
      countKeysAndMembers(storage.read),
      sumUsage(storage, { by: ['account'], fromDay: firstOf30Days() }),
    ]);
    const billed = new Map(sums.map((sum) => [sum.group.account, sum.billedSeconds]));
    return accounts.map((account) => ({
      id: account.id,
      name: account.name,
      created_at: iso(account.createdAtMs),
      closed_at: isoOrNull(account.closedAtMs),
      limits: limitsShape(account),
      keys: counts.keys.get(account.id) ?? 0,
      members: counts.members.get(account.id) ?? 0,
      billed_seconds_30d: billed.get(account.id) ?? 0,
    }));
  };
  const summaryOf = async (id: string) => (await summaries()).find((summary) => summary.id === id);

  app.get('/console/api/admin/accounts', async (request) => {
    await administrator(ports, request);
    return summaries();
  });

  app.post('/console/api/admin/accounts', async (request, reply) => {
    const person = await administrator(ports, request);
    const account = await createAccount(storage, parsed(createAccountBody, request.body).name);
    await storage.write
      .transaction()
      .execute((trx) => setMembership(trx, { accountId: account.id, personId: person.id, role: 'owner' }));
    reply.code(201);
    return summaryOf(account.id);
  });

  app.patch<{ Params: { accountId: string } }>('/console/api/admin/accounts/:accountId', async (request) => {
    await administrator(ports, request);
    const { limits, before } = parsed(changeAccountBody, request.body);
    const account = await setLimits(
      storage,
      request.params.accountId,
      limitsChange(limits),
      before && limitsChange(before),
    );
    return summaryOf(account.id);
  });

  app.post<{ Params: { accountId: string } }>('/console/api/admin/accounts/:accountId/close', async (request) => {
    await administrator(ports, request);
    const account = await closeAccount(storage, request.params.accountId);
    return summaryOf(account.id);
  });

  app.get('/console/api/admin/people', async (request): Promise<ServerPerson[]> => {
    await administrator(ports, request);
    const people = await listPeople(storage.read);
    return people.map(({ isAdministrator, accounts, ...person }) => ({
      ...person,
      is_administrator: isAdministrator,
      accounts: [...accounts],
    }));
  });

  app.patch<{ Params: { personId: string } }>('/console/api/admin/people/:personId', async (request, reply) => {
    await administrator(ports, request);
    await setAdministrator(storage, request.params.personId, parsed(changePerson, request.body).is_administrator);
    return reply.code(204).send();
  });

  app.post<{ Params: { personId: string } }>('/console/api/admin/people/:personId/reset', async (request, reply) => {
    await administrator(ports, request);
    const person = (await listPeople(storage.read)).find(({ id }) => id === request.params.personId);
    if (!person) throw new Fault('NOT_FOUND', { message: 'There is no such person.' });
    const { token, expiresAtMs } = await createPasswordReset(storage, person.id);
    const link = consoleLink(ports, `/reset/${token}`);
    const sent = await sendMail(ports, passwordResetMail(person.email, link));
    reply.code(201);
    return { link, expires_at: iso(expiresAtMs), sent };
  });

  app.get('/console/api/admin/status', async (request) => {
    await administrator(ports, request);
    return ports.status();
  });
};
