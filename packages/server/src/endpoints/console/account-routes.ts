// One account in the console: its name, keys, limits and vocabulary.
import {
  type AccountDetail,
  type CreatedKey,
  changeKey,
  changeLanguages,
  changeVocabulary,
  createKey as createKeySchema,
  falseAlarm,
  type PlaygroundKey,
  renameAccount as renameAccountSchema,
} from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { renameAccount, requireOpen, setLanguages } from '../../accounts/accounts.ts';
import { changeKeyRules, createKey, listKeys, revokeKey } from '../../accounts/keys/keys.ts';
import { openInvitations } from '../../accounts/people/invitations.ts';
import { membersOf } from '../../accounts/people/members.ts';
import { countFalseAlarm, falseAlarmsOf, listVocabulary, setVocabulary } from '../../accounts/vocabulary/vocabulary.ts';
import { vocabularyUses } from '../../accounts/vocabulary/vocabulary-uses.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { languagesOf } from '../../lib/language-names.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import { openStreams } from '../../usage/stream-slots/open-streams.ts';
import { managing, parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { firstOf30Days, invitationShape, iso, isoOrNull, keyShape, limitsShape, memberShape } from './shapes.ts';

const PLAYGROUND_KEY_MS = 60 * 60 * 1000;
/** Name of the playground's keys. They are not listed, since they expire on their own. */
const PLAYGROUND_KEY_NAME = 'Playground';

export const registerAccountRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage } = ports;
  const base = '/console/api/accounts/:accountId';

  app.get(base, async (request): Promise<AccountDetail> => {
    const { account, role } = await visit(ports, request);
    const [members, invitations, vocabulary, uses, alarms, open] = await Promise.all([
      membersOf(storage.read, account.id),
      openInvitations(storage.read, account.id),
      listVocabulary(storage.read, account.id),
      vocabularyUses(storage.read, account.id, firstOf30Days()),
      falseAlarmsOf(storage.read, account.id),
      openStreams(storage, account.id),
    ]);
    return {
      id: account.id,
      name: account.name,
      created_at: iso(account.createdAtMs),
      closed_at: isoOrNull(account.closedAtMs),
      role,
      limits: limitsShape(account),
      effective_limits: {
        max_streams: account.maxStreams ?? ports.defaultLimits.maxStreams,
        max_duration_seconds: account.maxDurationSeconds ?? ports.defaultLimits.maxDurationSeconds,
        max_uploads: account.maxUploads ?? ports.defaultLimits.maxUploads,
        max_waiting_seconds: account.maxWaitingSeconds ?? ports.defaultLimits.maxWaitingSeconds,
      },
      open_streams: open,
      languages: [...account.languages],
      redact: [...account.redaction],
      members: members.map(memberShape),
      invitations: invitations.map(invitationShape),
      vocabulary,
      vocabulary_uses: [...uses].map(([term, use]) => ({
        term,
        written: use.written,
        mended: use.mended,
        last_day: use.lastDay,
      })),
      false_alarms: [...alarms].map(([term, count]) => ({ term, count })),
    };
  });

  app.get(`${base}/keys`, async (request) => {
    const { account, person } = await visit(ports, request);
    const keys = await listKeys(storage.read, account.id);
    return keys.filter((key) => key.createdBy !== PLAYGROUND_CREATOR).map((key) => keyShape(key, person.id));
  });

  app.post(`${base}/keys`, async (request, reply): Promise<CreatedKey> => {
    const { account, person } = await visit(ports, request);
    const input = parsed(createKeySchema, request.body);
    const expiresAtMs = input.expires_at === null ? null : Date.parse(input.expires_at);
    if (Number.isNaN(expiresAtMs)) throw invalidRequest('expires_at: must be a date in ISO 8601.');
    const made = await createKey(storage, {
      accountId: account.id,
      name: input.name,
      createdBy: person.email,
      personId: person.id,
      expiresAtMs,
      rules: input.rules,
    });
    // The key is shown once, so it must not be cached.
    reply.code(201).header('cache-control', 'no-store');
    return { key: made.key, record: keyShape(made.listing, person.id) };
  });

  app.delete<{ Params: { keyId: string } }>(`${base}/keys/:keyId`, async (request) => {
    const { account, person, mayManage } = await visit(ports, request);
    const { keyId } = request.params;
    const key = (await listKeys(storage.read, account.id)).find(({ id }) => id === keyId);
    if (key && key.personId !== person.id && !mayManage)
      throw new Fault('FORBIDDEN', {
        message: 'This key belongs to someone else. Ask an owner of the account to revoke it.',
      });
    return keyShape(await revokeKey(storage, account.id, keyId), person.id);
  });

  // Owners only: otherwise members could lift restrictions that an owner has set.
  app.patch<{ Params: { keyId: string } }>(`${base}/keys/:keyId`, async (request) => {
    const { account, person } = await managing(ports, request);
    const { rules } = parsed(changeKey, request.body);
    return keyShape(await changeKeyRules(storage, account.id, request.params.keyId, rules), person.id);
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

  app.put(`${base}/vocabulary`, async (request) => {
    const { account } = await visit(ports, request);
    requireOpen(account);
    const { terms, before } = parsed(changeVocabulary, request.body);
    return { terms: await setVocabulary(storage, account.id, terms, before) };
  });

  app.post(`${base}/vocabulary/false-alarms`, async (request) => {
    const { account } = await visit(ports, request);
    requireOpen(account);
    const counted = await countFalseAlarm(storage, account.id, parsed(falseAlarm, request.body).term);
    if (!counted) throw new Fault('NOT_FOUND', { message: 'The term is not in the vocabulary of the account.' });
    return counted;
  });

  // Owners only, as for the rules of a key.
  app.put(`${base}/languages`, async (request) => {
    const { account } = await managing(ports, request);
    requireOpen(account);
    const languages = languagesOf(parsed(changeLanguages, request.body).languages);
    return { languages: (await setLanguages(storage, account.id, languages)).languages };
  });

  app.patch(base, async (request) => {
    const { account } = await managing(ports, request);
    const { name } = await renameAccount(storage, account.id, parsed(renameAccountSchema, request.body));
    return { name };
  });
};
