// OpenAI's realtime endpoint for transcription sessions: GET /v1/realtime with an upgrade.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import { sessionOfSecret } from '../../../calls/client-sessions.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { readTags } from '../../../calls/request-tags.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { offeredProtocols, valuesOf } from '../../../transport/websocket/handshake.ts';
import type { StreamSettings } from '../../../transport/websocket/settings.ts';
import { addStreamEndpoint, type StreamEndpointParts } from '../../../transport/websocket/stream-endpoint.ts';
import { bearerKeyOf } from '../api-key.ts';
import { openAiErrors } from '../error-format.ts';
import { firstConfig } from './first-config.ts';
import { RealtimeProtocol } from './protocol.ts';

export interface RealtimeStreamParts extends StreamEndpointParts {
  readonly config: Pick<StreamSettings, 'idleTimeoutMs'>;
  readonly names: ModelNames;
  readonly clock: Clock;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
}

const SUBPROTOCOL = 'realtime';
const KEY_PREFIX = 'openai-insecure-api-key.';
const USAGE = 'This address speaks WebSocket: connect with ws:// or wss://.';
/** OpenAI allows 15 MiB of audio per event. Other events are limited to much less. */
const EVENT_BYTES_MAX = 16 * 1024 * 1024;
/** Clients may send nothing while nobody speaks. Pings detect dead connections. */
const IDLE_MS_MIN = 15 * 60 * 1000;
const SESSION_SECONDS = 60 * 60;

/** Browsers send the key as a subprotocol. */
const keyOf = ({ headers }: FastifyRequest): string => {
  const offered = [...offeredProtocols(headers['sec-websocket-protocol'])];
  return bearerKeyOf(headers, offered.find((name) => name.startsWith(KEY_PREFIX))?.slice(KEY_PREFIX.length));
};

export const addRealtime = (app: FastifyInstance, parts: RealtimeStreamParts): void => {
  const { calls, clock, config, decoding, names } = parts;
  const idleTimeoutMs = Math.max(config.idleTimeoutMs, IDLE_MS_MIN);
  addStreamEndpoint(
    app,
    {
      path: PATHS.openAiRealtime,
      maxPayload: EVENT_BYTES_MAX,
      selectProtocol: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
      authenticate: (request) =>
        calls.authenticateClient(keyOf(request), { scope: 'stream', address: request.clientAddress }),
      read: (query, request) => ({
        config: firstConfig(query.model, sessionOfSecret(keyOf(request)), names),
        tags: readTags(valuesOf(query, 'tag')),
      }),
      modelOf: ({ config: { model } }) => model,
      tagsOf: ({ tags }) => tags,
      settingsOf: () => ({ isLive: true, sendsTextEarly: true, idleTimeoutMs, firstFrameTimeoutMs: idleTimeoutMs }),
      headersOf: () => ({}),
      openProtocol: (context, { config: sessionConfig }) => {
        const expiresAt = Math.floor(clock.now() / 1000) + SESSION_SECONDS;
        const identity = { id: `sess_${context.call.requestId}`, expiresAt };
        return new RealtimeProtocol(context, { config: sessionConfig, identity, names, decoding });
      },
      hasKey: ({ headers }) => headers.authorization !== undefined,
      explain: (requestId) => openAiErrors.body(invalidRequest(USAGE), requestId),
    },
    parts,
  );
};
