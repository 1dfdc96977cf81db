// Deepgram's turn-based endpoint for voice agents: GET /v2/listen with an upgrade.
import { LIMITS, PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { addStreamEndpoint } from '../../../transport/websocket/stream-endpoint.ts';
import type { DeepgramStreamParts } from '../live/endpoint.ts';
import { listenKeyOf, selectListenProtocol } from '../live/handshake.ts';
import { requestUuid } from '../request-uuid.ts';
import { readFluxRequest } from './handshake.ts';
import { FluxProtocol } from './protocol.ts';

const USAGE = 'This address speaks WebSocket: connect with ws:// or wss://.';

export const addFlux = (app: FastifyInstance, parts: DeepgramStreamParts): void => {
  const { calls, config, decoding, names } = parts;
  addStreamEndpoint(
    app,
    {
      path: PATHS.deepgramTurns,
      maxPayload: LIMITS.streamFrameBytesMax,
      selectProtocol: selectListenProtocol,
      authenticate: ({ headers, clientAddress }) =>
        calls.authenticate(listenKeyOf(headers), { scope: 'stream', address: clientAddress }),
      read: (query) => readFluxRequest(query, names),
      modelOf: ({ live }) => live.model,
      tagsOf: ({ live }) => live.tags ?? [],
      // Before its first audio, a client may keep the connection alive without limit.
      settings: { isLive: true, firstFrameTimeoutMs: config.idleTimeoutMs },
      headersOf: ({ requestId }) => ({ 'dg-request-id': requestUuid(requestId) }),
      openProtocol: (context, request) => new FluxProtocol(context, request, decoding),
      hasKey: ({ headers }) => headers.authorization !== undefined,
      explain: (requestId) => ({
        err_code: 'Upgrade Required',
        err_msg: USAGE,
        request_id: requestUuid(requestId),
      }),
    },
    parts,
  );
};
