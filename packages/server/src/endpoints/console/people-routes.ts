// The members of an account: invite, change role, remove.
import { changeRole, createInvitation as createInvitationSchema } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { requireOpen } from '../../accounts/accounts.ts';
import { createInvitation, withdrawInvitation } from '../../accounts/people/invitations.ts';
import { invitationMail } from '../../accounts/people/mailer.ts';
import { removeMember, setRole } from '../../accounts/people/members.ts';
import { SignInAttempts } from '../../accounts/sign-in/sign-in-attempts.ts';
import { Fault } from '../../lib/fault.ts';
import { consoleLink, managing, parsed, sendMail } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { invitationShape } from './shapes.ts';

/** Per account and day. Each invitation reveals at most once whether an address has a sign-in. */
const INVITATIONS = { window: 24 * 3600, max: 200 } as const;

export const registerPeopleRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage } = ports;
  const attempts = new SignInAttempts(storage);
  const base = '/console/api/accounts/:accountId';

  app.post(`${base}/invitations`, async (request, reply) => {
    const { account } = await managing(ports, request);
    requireOpen(account);
    const input = parsed(createInvitationSchema, request.body);
    const { allowed, retryAfter } = await attempts.consume(`invitations ${account.id}`, INVITATIONS);
    if (!allowed) throw new Fault('RATE_LIMITED', { retryAfterSeconds: retryAfter ?? INVITATIONS.window });
    const { token, invitation } = await createInvitation(storage, { accountId: account.id, ...input });
    const link = consoleLink(ports, `/welcome/${token}`);
    const { email } = invitation;
    const sent = email !== null && (await sendMail(ports, invitationMail(email, { link, account: account.name })));
    reply.code(201);
    return { invitation: invitationShape(invitation), link, sent };
  });

  app.delete<{ Params: { id: string } }>(`${base}/invitations/:id`, async (request, reply) => {
    const { account } = await managing(ports, request);
    await withdrawInvitation(storage, account.id, request.params.id);
    return reply.code(204).send();
  });

  app.patch<{ Params: { personId: string } }>(`${base}/members/:personId`, async (request, reply) => {
    const { account } = await managing(ports, request);
    const { role } = parsed(changeRole, request.body);
    await setRole(storage, account.id, { personId: request.params.personId, role });
    return reply.code(204).send();
  });

  app.delete<{ Params: { personId: string } }>(`${base}/members/:personId`, async (request, reply) => {
    const { account } = await managing(ports, request);
    await removeMember(storage, account.id, request.params.personId);
    return reply.code(204).send();
  });
};
