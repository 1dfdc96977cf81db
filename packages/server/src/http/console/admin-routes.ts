// For administrators of the server: all accounts, their limits, and the server's own state.
import { type AccountSummary, accountLimits } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { countKeysAndMembers } from '../../accounts/account-counts.ts';
import { createAccount, listAccounts, setLimits } from '../../accounts/accounts.ts';
import { setMembership } from '../../accounts/people/members.ts';
import { sumUsage } from '../../usage/sums.ts';
import { administrator, parsed } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { iso, limitsShape } from './shapes.ts';

const createAccountBody = z.object({ name: z.string().trim().min(1).max(200) });
const changeAccountBody = z.object({ limits: accountLimits.partial() });
const BILLED_SPAN_MS = 29 * 24 * 60 * 60 * 1000;

export const registerAdminRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage } = ports;

  const summaries = async (): Promise<AccountSummary[]> => {
    const fromDay = new Date(Date.now() - BILLED_SPAN_MS).toISOString().slice(0, 10);
    const [accounts, counts, sums] = await Promise.all([
      listAccounts(storage.read),
      countKeysAndMembers(storage.read),
      sumUsage(storage, { by: ['account'], fromDay }),
    ]);
    const billed = new Map(sums.map((sum) => [sum.group.account, sum.billedSeconds]));
    return accounts.map((account) => ({
      id: account.id,
      name: account.name,
      created_at: iso(account.createdAtMs),
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
    const { limits } = parsed(changeAccountBody, request.body);
    const account = await setLimits(storage, request.params.accountId, {
      maxStreams: limits.max_streams,
      maxDurationSeconds: limits.max_duration_seconds,
      maxUploads: limits.max_uploads,
      maxWaitingSeconds: limits.max_waiting_seconds,
    });
    return summaryOf(account.id);
  });

  app.get('/console/api/admin/status', async (request) => {
    await administrator(ports, request);
    return ports.status();
  });
};
