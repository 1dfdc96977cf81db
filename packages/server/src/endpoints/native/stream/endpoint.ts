// The streaming endpoint of the contract: GET /v1/transcribe/stream with an upgrade.
import { LIMITS, PATHS, SUBPROTOCOL } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { Calls } from '../../../calls/calls.ts';
import { StreamLimitReached } from '../../../calls/refusals.ts';
import { Fault } from '../../../lib/fault.ts';
import { withDisconnectSignal } from '../../../transport/http/disconnect-signal.ts';
import { errorBody } from '../../../transport/http/error-response.ts';
import type { HttpSettings } from '../../../transport/http/settings.ts';
import { checkUpgradeHeaders, type Query, rateLimitHeaders } from '../../../transport/websocket/handshake.ts';
import type { OpenSockets } from '../../../transport/websocket/sockets.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { NativeProtocol } from './native-protocol.ts';
import { presentedKey, readStreamRequest } from './stream-request.ts';

const UPGRADE_REQUIRED = 426;

export interface NativeStreamParts {
  readonly config: Pick<HttpSettings, 'publicUrl'>;
  readonly calls: Calls;
  readonly decoding: Pick<UploadDecoding, 'openPcm16'>;
  readonly sockets: OpenSockets;
}

export const addNativeStream = (
  app: FastifyInstance,
  { config, calls, decoding, sockets }: NativeStreamParts,
): void => {
  const accept = sockets.accepting({
    path: PATHS.stream,
    maxPayload: LIMITS.streamFrameBytesMax,
    selectProtocol: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  app.get(PATHS.stream, { schema: { hide: true } as object }, async (request, reply) => {
    if (!sockets.isUpgrade(request)) return explain(request, reply, calls);
    const { headers } = request.raw;
    checkUpgradeHeaders(headers);
    const principal = await calls.authenticate(presentedKey(request.query as Query, headers));
    const stream = readStreamRequest(request.query as Query);
    const call = await withLimitHeaders(reply, () =>
      withDisconnectSignal(reply.raw, (signal) =>
        calls.pacingRefusals(principal, signal, () =>
          calls.openStream({ requestId: request.id, principal }, stream.transcription.model),
        ),
      ),
    );
    return accept(request, reply, {
      call,
      headers: rateLimitHeaders(call.limit, call.remaining),
      settings: {},
      openProtocol: (context) =>
        new NativeProtocol(context, stream, () => decoding.openPcm16({ ...stream.audio, owner: call.accountId })),
    });
  });

  const description = JSON.stringify(asyncApiDocument(config.publicUrl));
  app.get('/asyncapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
};

const withLimitHeaders = async <T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof StreamLimitReached) reply.headers(rateLimitHeaders(thrown.limit, 0));
    throw thrown;
  }
};

/**
 * A plain request cannot stream; with a key it is told what a handshake would be told. Browsers hide the answer to a
 * refused handshake from their scripts: this is how ours learns the reason.
 */
const explain = async (request: FastifyRequest, reply: FastifyReply, calls: Calls): Promise<FastifyReply> => {
  const query = request.query as Query;
  const hasKey = query.token !== undefined || request.headers.authorization !== undefined;
  if (hasKey) {
    const principal = await calls.authenticate(presentedKey(query, request.headers));
    const { transcription } = readStreamRequest(query);
    await withLimitHeaders(reply, () => calls.checkStream(principal, transcription.model));
  }
  const fault = new Fault('INVALID_REQUEST', {
    message: `This address speaks WebSocket: connect with ws:// or wss://. To send a file, POST ${PATHS.transcribe}.`,
  });
  return reply.code(UPGRADE_REQUIRED).header('upgrade', 'websocket').send(errorBody(fault, request.id));
};
