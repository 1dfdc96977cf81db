// Deepgram's live endpoint: GET /v1/listen with an upgrade.
import { LIMITS, PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import type { StreamSettings } from '../../../transport/websocket/settings.ts';
import { addStreamEndpoint, type StreamEndpointParts } from '../../../transport/websocket/stream-endpoint.ts';
import { requestUuid } from '../request-uuid.ts';
import { listenKeyOf, readListenRequest, selectListenProtocol } from './handshake.ts';
import { ListenProtocol } from './protocol.ts';

const USAGE = 'GET is for WebSockets here: connect with ws:// or wss://, or POST a recording.';

export interface DeepgramStreamParts extends StreamEndpointParts {
  readonly config: Pick<StreamSettings, 'idleTimeoutMs'>;
  readonly names: ModelNames;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
}

export const addDeepgramStream = (app: FastifyInstance, parts: DeepgramStreamParts): void => {
  const { calls, config, decoding, names } = parts;
  addStreamEndpoint(
    app,
    {
      path: PATHS.deepgramListen,
      maxPayload: LIMITS.streamFrameBytesMax,
      selectProtocol: selectListenProtocol,
      authenticate: ({ headers, clientAddress }) =>
        calls.authenticate(listenKeyOf(headers), { scope: 'stream', address: clientAddress }),
      read: (query) => readListenRequest(query, names),
      modelOf: ({ live }) => live.model,
      tagsOf: ({ tags }) => tags,
      // Before its first audio, a client may keep the connection alive without limit.
      settings: { isLive: true, firstFrameTimeoutMs: config.idleTimeoutMs },
      headersOf: ({ requestId }) => ({ 'dg-request-id': requestUuid(requestId) }),
      openProtocol: (context, request) => new ListenProtocol(context, request, decoding),
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
