// The voices API: enrol with POST /v1/voices; list, export and delete below it.
import {
  PATHS,
  VOICE_LIMITS,
  type VoiceAuditResponse,
  type VoiceDeletedResponse,
  type VoiceExportResponse,
  type VoiceListResponse,
  type VoiceResponse,
} from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../accounts/principal.ts';
import { listVoiceEvents, type VoiceActor } from '../../accounts/voices/voice-audit.ts';
import { noSuchVoice, type VoicePrints } from '../../accounts/voices/voice-prints.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ReceivedFile } from '../../calls/files/received-file.ts';
import type { Enrolments } from '../../calls/voices/enrolments.ts';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { apiKeyOf } from '../../transport/http/api-key.ts';
import { beforeOf, isId, limitOf, pageOf } from '../../transport/http/listing.ts';
import { addBodyRoute, onResponseEnd } from '../../transport/http/upload/body-route.ts';
import { receiveForm } from '../../transport/http/upload/receive-form.ts';
import { checkFormHeaders } from '../../transport/http/upload/upload-form.ts';
import { eventObject, voiceObject } from './bodies.ts';
import { VOICE_FORM, voiceRequestOf } from './form.ts';

export interface VoicesParts {
  readonly storage: Storage;
  readonly calls: Pick<Calls, 'authenticate' | 'receiveFile'>;
  readonly prints: VoicePrints;
  readonly enrolments: Pick<Enrolments, 'open'>;
  readonly uploadTimeoutMs: number;
}

interface VoiceUpload {
  readonly principal: Principal;
  readonly received: ReceivedFile;
}

const PAGE_EVENTS = { default: 20, max: 100 } as const;
const HISTORY_EVENTS_MAX = 1_000;

const actorOf = ({ keyId }: Principal, request: FastifyRequest): VoiceActor => ({
  actor: keyId,
  requestId: request.id,
});

export const addVoices = (app: FastifyInstance, parts: VoicesParts): void => {
  const { storage, calls, prints } = parts;
  const callerOf = (request: FastifyRequest): Promise<Principal> =>
    calls.authenticate(apiKeyOf(request.headers), { scope: 'voices', address: request.clientAddress });

  const open = async (request: FastifyRequest, { raw }: FastifyReply): Promise<VoiceUpload> => {
    const principal = await callerOf(request);
    checkFormHeaders(request.headers, VOICE_FORM);
    const received = calls.receiveFile(principal);
    onResponseEnd(raw, (outcome) => received.end(outcome));
    return { principal, received };
  };

  const enrol = async (
    { principal, received }: VoiceUpload,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<VoiceResponse> => {
    const enrolment = await parts.enrolments.open(principal, received.signal);
    try {
      const { values } = await receiveForm(request, VOICE_FORM, enrolment, {
        timeoutMs: parts.uploadTimeoutMs,
        signal: received.signal,
        hash: false,
        onBytes: (count) => received.count(count),
      });
      received.markReceived();
      const voice = await enrolment.finish(voiceRequestOf(values()).name, actorOf(principal, request));
      reply.code(201);
      return { status: 'success', voice: voiceObject(voice), request_id: request.id };
    } finally {
      enrolment.close();
    }
  };

  addBodyRoute(app, { url: PATHS.voices, open, handle: enrol });

  app.get(PATHS.voices, async (request): Promise<VoiceListResponse> => {
    const { accountId } = await callerOf(request);
    const voices = await orUnavailable(prints.list(accountId));
    return {
      status: 'success',
      voices: voices.map(voiceObject),
      voices_max: VOICE_LIMITS.voicesMax,
      request_id: request.id,
    };
  });

  app.get<{ Querystring: Record<string, string | undefined> }>(
    PATHS.voiceAudit,
    async (request): Promise<VoiceAuditResponse> => {
      const { accountId } = await callerOf(request);
      const limit = limitOf(request.query.limit, PAGE_EVENTS);
      const before = beforeOf(request.query.before, 'an entry');
      const events = await orUnavailable(listVoiceEvents(storage.read, { accountId, before, limit: limit + 1 }));
      const { shown, next_before } = pageOf(events, limit);
      return { status: 'success', entries: shown.map(eventObject), next_before, request_id: request.id };
    },
  );

  app.get<{ Params: { id: string } }>(`${PATHS.voices}/:id/export`, async (request): Promise<VoiceExportResponse> => {
    const principal = await callerOf(request);
    const id = idOf(request.params);
    const voice = await orUnavailable(prints.export(principal.accountId, id, actorOf(principal, request)));
    const query = { accountId: principal.accountId, voiceId: id, limit: HISTORY_EVENTS_MAX };
    const history = await orUnavailable(listVoiceEvents(storage.read, query));
    return {
      status: 'success',
      voice: voiceObject(voice),
      print: {
        model: voice.model,
        band: voice.isNarrowBand ? 'telephone' : 'wide',
        embedding: [...voice.embedding],
      },
      history: history.map(eventObject),
      request_id: request.id,
    };
  });

  app.delete<{ Params: { id: string } }>(`${PATHS.voices}/:id`, async (request): Promise<VoiceDeletedResponse> => {
    const principal = await callerOf(request);
    const id = idOf(request.params);
    await orUnavailable(prints.delete(principal.accountId, id, actorOf(principal, request)));
    return { status: 'success', deleted: id, request_id: request.id };
  });
};

const voicesOff = async (): Promise<never> => {
  throw new Fault('NOT_FOUND', { message: 'Known voices are turned off: this server has no FAIRCOPY_VOICES_SECRET.' });
};

/** Without known voices, their addresses say why there is nothing. */
export const addVoicesOff = (app: FastifyInstance): void => {
  for (const url of [PATHS.voices, `${PATHS.voices}/*`])
    app.route({ method: ['GET', 'POST', 'DELETE'], url, onRequest: voicesOff, handler: voicesOff });
};

const idOf = ({ id }: { readonly id: string }): string => {
  if (isId(id)) return id;
  throw noSuchVoice();
};
