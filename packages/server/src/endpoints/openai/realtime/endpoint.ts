// OpenAI's realtime endpoint for transcription: GET /v1/realtime with an upgrade.
import type { IncomingHttpHeaders } from 'node:http';
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { Calls } from '../../../calls/calls.ts';
import { ModelNames } from '../../../calls/model-names.ts';
import { keyInHeader, requireKey } from '../../../calls/presented-key.ts';
import type { ModelNameSettings } from '../../../calls/settings.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { withDisconnectSignal } from '../../../transport/http/disconnect-signal.ts';
import { checkUpgradeHeaders, offeredProtocols, type Query } from '../../../transport/websocket/handshake.ts';
import type { StreamSettings } from '../../../transport/websocket/settings.ts';
import type { OpenSockets } from '../../../transport/websocket/sockets.ts';
import type { ClientSecrets } from './client-secrets.ts';
import { RealtimeProtocol } from './realtime-protocol.ts';
import { defaultConfig } from './session-config.ts';

export interface RealtimeStreamParts {
  readonly config: ModelNameSettings & Pick<StreamSettings, 'idleTimeoutMs'>;
  readonly clock: Clock;
  readonly calls: Calls;
  readonly clientSecrets: ClientSecrets;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
  readonly sockets: OpenSockets;
}

const SUBPROTOCOL = 'realtime';
const KEY_PREFIX = 'openai-insecure-api-key.';
const MODEL_DEFAULT = 'gpt-4o-transcribe';
/** An event may carry many seconds of audio in base64. */
const EVENT_BYTES_MAX = 16 * 1024 * 1024;
/** These clients send nothing while nobody speaks: whether they are there is seen by pings. */
const IDLE_MS_MIN = 15 * 60 * 1000;
const SESSION_SECONDS = 60 * 60;

/** The Authorization header, or in browsers a subprotocol that carries the key. */
const realtimeKey = (headers: IncomingHttpHeaders): string => {
  const offered = [...offeredProtocols(headers['sec-websocket-protocol'])].find((name) => name.startsWith(KEY_PREFIX));
  return requireKey(
    offered?.slice(KEY_PREFIX.length) ?? keyInHeader(headers.authorization, ['Bearer', 'Token']),
    'Send it as "Authorization: Bearer <API_KEY>".',
  );
};

const nameOf = ({ model }: Query): string => (typeof model === 'string' && model !== '' ? model : MODEL_DEFAULT);

export const addRealtime = (app: FastifyInstance, parts: RealtimeStreamParts): void => {
  const { calls, clientSecrets, clock, config, decoding, sockets } = parts;
  const names = new ModelNames(config.modelAliases, config.models);
  const accept = sockets.accepting({
    path: PATHS.openAiRealtime,
    maxPayload: EVENT_BYTES_MAX,
    selectProtocol: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  app.get(PATHS.openAiRealtime, { schema: { hide: true } as object }, async (request, reply) => {
    if (!sockets.isUpgrade(request))
      throw new Fault('INVALID_REQUEST', { message: 'This address speaks WebSocket: connect with ws:// or wss://.' });
    checkUpgradeHeaders(request.raw.headers);
    const key = clientSecrets.open(realtimeKey(request.raw.headers), clock.now());
    if (key === null)
      throw new Fault('UNAUTHORIZED', { message: 'The client secret is not valid, or its time is over.' });
    const principal = await calls.authenticate(key);
    const modelName = nameOf(request.query as Query);
    const model = names.tierOf(modelName);
    if (model === null) throw new Fault('NOT_FOUND', { message: 'The model is not known here.', parameter: 'model' });
    const call = await withDisconnectSignal(reply.raw, (signal) =>
      calls.pacingRefusals(principal, signal, () => calls.openStream({ requestId: request.id, principal }, model)),
    );
    const identity = { id: `sess_${call.requestId}`, expiresAt: Math.floor(clock.now() / 1000) + SESSION_SECONDS };
    const idleTimeoutMs = Math.max(config.idleTimeoutMs, IDLE_MS_MIN);
    return accept(request, reply, {
      call,
      headers: {},
      settings: { isLive: true, idleTimeoutMs, firstFrameTimeoutMs: idleTimeoutMs },
      openProtocol: (context) =>
        new RealtimeProtocol(context, { config: defaultConfig(modelName, model), identity, names, decoding }),
    });
  });
};
