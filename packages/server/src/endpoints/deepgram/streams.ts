// Deepgram's WebSocket endpoints: GET /v1/listen for live audio, GET /v2/listen for turns of voice agents.
import { LIMITS, PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../calls/call.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import type { StreamSettings } from '../../transport/websocket/settings.ts';
import { addStreamEndpoint, type StreamEndpointParts } from '../../transport/websocket/stream-endpoint.ts';
import type { ProtocolContext, StreamProtocol } from '../../transport/websocket/stream-protocol.ts';
import { readFluxRequest } from './flux/handshake.ts';
import { FluxProtocol } from './flux/protocol.ts';
import { listenKeyOf, readListenRequest, selectListenProtocol } from './live/handshake.ts';
import { ListenProtocol } from './live/protocol.ts';
import type { Query } from './parameters.ts';
import { requestUuid } from './request-uuid.ts';

type Decoding = Pick<UploadDecoding, 'openLive'>;

export interface DeepgramStreamParts extends StreamEndpointParts {
  readonly config: Pick<StreamSettings, 'idleTimeoutMs'>;
  readonly names: ModelNames;
  readonly decoding: Decoding;
}

interface DeepgramStream<Request> {
  readonly path: string;
  readonly read: (query: Query, names: ModelNames) => Request;
  readonly Protocol: new (context: ProtocolContext, request: Request, decoding: Decoding) => StreamProtocol;
  /** The answer to a request that is not a handshake. */
  readonly usage: string;
}

const addStream = <Request extends { readonly live: TranscriptionOptions }>(
  app: FastifyInstance,
  parts: DeepgramStreamParts,
  { path, read, Protocol, usage }: DeepgramStream<Request>,
): void => {
  const { calls, config, decoding, names } = parts;
  addStreamEndpoint(
    app,
    {
      path,
      maxPayload: LIMITS.streamFrameBytesMax,
      selectProtocol: selectListenProtocol,
      authenticate: ({ headers, clientAddress }) =>
        calls.authenticate(listenKeyOf(headers), { scope: 'stream', address: clientAddress }),
      read: (query) => read(query, names),
      modelOf: ({ live }) => live.model,
      tagsOf: ({ live }) => live.tags ?? [],
      // Before its first audio, a client may keep the connection alive without limit.
      settingsOf: () => ({ isLive: true, sendsTextEarly: true, firstFrameTimeoutMs: config.idleTimeoutMs }),
      headersOf: ({ requestId }) => ({ 'dg-request-id': requestUuid(requestId) }),
      openProtocol: (context, request) => new Protocol(context, request, decoding),
      hasKey: ({ headers }) => headers.authorization !== undefined,
      explain: (requestId) => ({
        err_code: 'Upgrade Required',
        err_msg: usage,
        request_id: requestUuid(requestId),
      }),
    },
    parts,
  );
};

export const addDeepgramStreams = (app: FastifyInstance, parts: DeepgramStreamParts): void => {
  addStream(app, parts, {
    path: PATHS.deepgramListen,
    read: readListenRequest,
    Protocol: ListenProtocol,
    usage: 'GET is for WebSockets here: connect with ws:// or wss://, or POST a recording.',
  });
  addStream(app, parts, {
    path: PATHS.deepgramTurns,
    read: readFluxRequest,
    Protocol: FluxProtocol,
    usage: 'This address speaks WebSocket: connect with ws:// or wss://.',
  });
};
