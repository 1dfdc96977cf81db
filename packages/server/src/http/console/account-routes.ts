// One account: its keys, limits, people and words.
import {
  type AccountDetail,
  type CreatedKey,
  createInvitation as createInvitationSchema,
  createKey as createKeySchema,
  type PlaygroundKey,
} from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createKey, listKeys, revokeKey } from '../../accounts/keys.ts';
import { createInvitation, openInvitations, withdrawInvitation } from '../../accounts/people/invitations.ts';
import { membersOf, removeMember } from '../../accounts/people/members.ts';
import { listVocabulary, setVocabulary } from '../../accounts/vocabulary.ts';
import { Fault } from '../../platform/fault.ts';
import { openStreams } from '../../usage/open-streams.ts';
import { managing, parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { invitationShape, iso, keyShape, limitsShape, memberShape } from './shapes.ts';

const PLAYGROUND_KEY_MS = 60 * 60 * 1000;
/** Keys of this name are made by the playground and not listed: they are no one's to manage and end by themselves. */
const PLAYGROUND_KEY_NAME = 'Playground';
const PLAYGROUND_CREATOR = 'playground';

const vocabularyBody = z.object({ terms: z.array(z.string()) });

export const registerAccountRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage } = ports;
  const base = '/console/api/accounts/:accountId';

  app.get(base, async (request): Promise<AccountDetail> => {
    const { account } = await visit(ports, request);
    const [members, invitations, vocabulary, open] = await Promise.all([
      membersOf(storage.read, account.id),
      openInvitations(storage.read, account.id),
      listVocabulary(storage.read, account.id),
      openStreams(storage, account.id),
    ]);
    return {
      id: account.id,
      name: account.name,
      created_at: iso(account.createdAtMs),
      limits: limitsShape(account),
      effective_limits: {
        max_streams: account.maxStreams ?? ports.defaultLimits.maxStreams,
        max_duration_seconds: account.maxDurationSeconds ?? ports.defaultLimits.maxDurationSeconds,
        max_uploads: account.maxUploads ?? ports.defaultLimits.maxUploads,
        max_waiting_seconds: account.maxWaitingSeconds ?? ports.defaultLimits.maxWaitingSeconds,
      },
      open_streams: open,
      members: members.map(memberShape),
      invitations: invitations.map(invitationShape),
      vocabulary,
    };
  });

  app.get(`${base}/keys`, async (request) => {
    const { account } = await visit(ports, request);
    const keys = await listKeys(storage.read, account.id);
    return keys.filter((key) => key.createdBy !== PLAYGROUND_CREATOR).map(keyShape);
  });

  app.post(`${base}/keys`, async (request, reply): Promise<CreatedKey> => {
    const { account, person } = await visit(ports, request);
    const wish = parsed(createKeySchema, request.body);
    const expiresAtMs = wish.expires_at === null ? null : Date.parse(wish.expires_at);
    if (Number.isNaN(expiresAtMs))
      throw new Fault('INVALID_REQUEST', { message: 'expires_at: must be a date in ISO 8601.' });
    const made = await createKey(storage, {
      accountId: account.id,
      name: wish.name,
      createdBy: person.email,
      personId: person.id,
      expiresAtMs,
    });
    // Shown once means cached nowhere.
    reply.code(201).header('cache-control', 'no-store');
    return { key: made.key, record: keyShape(made.listing) };
  });

  app.delete<{ Params: { keyId: string } }>(`${base}/keys/:keyId`, async (request) => {
    const { account } = await visit(ports, request);
    return keyShape(await revokeKey(storage, account.id, request.params.keyId));
  });

  app.post(`${base}/playground-key`, async (request, reply): Promise<PlaygroundKey> => {
    const { account, person } = await visit(ports, request);
    const expiresAtMs = Date.now() + PLAYGROUND_KEY_MS;
    const made = await createKey(storage, {
      accountId: account.id,
      name: PLAYGROUND_KEY_NAME,
      createdBy: PLAYGROUND_CREATOR,
      personId: person.id,
      expiresAtMs,
    });
    reply.code(201).header('cache-control', 'no-store');
    return { key: made.key, expires_at: iso(expiresAtMs) };
  });

  app.post(`${base}/invitations`, async (request, reply) => {
    const { account } = await managing(ports, request);
    const wish = parsed(createInvitationSchema, request.body);
    const { token, invitation } = await createInvitation(storage, { accountId: account.id, ...wish });
    const origin = ports.publicUrl ?? `${request.protocol}://${request.host}`;
    reply.code(201).header('cache-control', 'no-store');
    return { invitation: invitationShape(invitation), link: `${origin}/console/welcome/${token}` };
  });

  app.delete<{ Params: { id: string } }>(`${base}/invitations/:id`, async (request, reply) => {
    const { account } = await managing(ports, request);
    await withdrawInvitation(storage, account.id, request.params.id);
    return reply.code(204).send();
  });

  app.delete<{ Params: { personId: string } }>(`${base}/members/:personId`, async (request, reply) => {
    const { account } = await managing(ports, request);
    await removeMember(storage, account.id, request.params.personId);
    return reply.code(204).send();
  });

  app.put(`${base}/vocabulary`, async (request) => {
    const { account } = await visit(ports, request);
    return { terms: await setVocabulary(storage, account.id, parsed(vocabularyBody, request.body).terms) };
  });
};
