// The contract's streaming endpoint: GET /v1/transcribe/stream with an upgrade.
import { LIMITS, PATHS, SUBPROTOCOL } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import { errorBody } from '../../../transport/http/error-response.ts';
import type { HttpSettings } from '../../../transport/http/settings.ts';
import { type Query, rateLimitHeaders } from '../../../transport/websocket/handshake.ts';
import { addStreamEndpoint, type StreamEndpointParts } from '../../../transport/websocket/stream-endpoint.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { readStreamRequest, streamKeyOf } from './handshake.ts';
import { NativeProtocol } from './protocol.ts';

const USAGE = `This address speaks WebSocket: connect with ws:// or wss://. To send a file, POST ${PATHS.transcribe}.`;

export interface NativeStreamParts extends StreamEndpointParts {
  readonly config: Pick<HttpSettings, 'publicUrl'>;
  readonly decoding: Pick<UploadDecoding, 'openPcm16'>;
}

export const addNativeStream = (app: FastifyInstance, parts: NativeStreamParts): void => {
  const { calls, config, decoding } = parts;
  addStreamEndpoint(
    app,
    {
      path: PATHS.stream,
      maxPayload: LIMITS.streamFrameBytesMax,
      selectProtocol: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
      authenticate: ({ query, headers, clientAddress }) =>
        calls.authenticate(streamKeyOf(query as Query, headers), { scope: 'stream', address: clientAddress }),
      read: readStreamRequest,
      modelOf: ({ transcription }) => transcription.model,
      tagsOf: ({ transcription }) => transcription.tags ?? [],
      settingsOf: ({ transcription }) => ({ sendsTextEarly: transcription.finals?.kind === 'utterances' }),
      headersOf: ({ limit, remaining }) => rateLimitHeaders(limit, remaining),
      openProtocol: (context, request) =>
        new NativeProtocol(context, request, (channel) =>
          decoding.openPcm16({ ...request.audio, channel, owner: context.call.accountId }),
        ),
      hasKey: ({ query, headers }) => (query as Query).token !== undefined || headers.authorization !== undefined,
      explain: (requestId) => errorBody(invalidRequest(USAGE), requestId),
    },
    parts,
  );
  const description = JSON.stringify(asyncApiDocument(config.publicUrl));
  app.get('/asyncapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
};
