// The streaming endpoints: that of the contract, and those that speak the protocols of other services.
import { LIMITS, PATHS, SUBPROTOCOL } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UploadDecoding } from '../audio/upload-decoding.ts';
import type { Calls } from '../calls/calls.ts';
import type { ClientSecrets } from '../calls/client-secrets.ts';
import { StreamLimitReached } from '../calls/refusals.ts';
import type { Config } from '../platform/config.ts';
import { errorBody } from '../platform/error-response.ts';
import { Fault } from '../platform/fault.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { addDeepgramStream } from './deepgram/endpoint.ts';
import { checkUpgradeHeaders, presentedKey, type Query, rateLimitHeaders, readStreamRequest } from './handshake.ts';
import { NativeProtocol } from './native-protocol.ts';
import { addRealtime } from './realtime/endpoint.ts';
import { OpenSockets, type OpenSocketsParts, type StreamTimes } from './sockets.ts';
import { Upgrades } from './upgrade.ts';

const UPGRADE_REQUIRED = 426;

export interface StreamParts extends OpenSocketsParts {
  readonly config: StreamTimes & Pick<Config, 'modelAliases' | 'models' | 'publicUrl'>;
  readonly calls: Calls;
  readonly clientSecrets: ClientSecrets;
  readonly decoding: Pick<UploadDecoding, 'openPcm16' | 'openLive'>;
}

export interface StreamEndpoint {
  readonly openStreams: number;
  /** No new streams; resolves when the open ones have ended, each within the finalisation time. */
  close(): Promise<void>;
}

export const addStream = (app: FastifyInstance, parts: StreamParts): StreamEndpoint => {
  const upgrades = new Upgrades(app, [PATHS.stream, PATHS.deepgramListen, PATHS.openAiRealtime]);
  const sockets = new OpenSockets(parts, upgrades);
  addNativeStream(app, parts, sockets, upgrades);
  addDeepgramStream(app, { ...parts, sockets, upgrades });
  addRealtime(app, { ...parts, sockets, upgrades });
  return {
    get openStreams() {
      return sockets.size;
    },
    close: () => sockets.close(),
  };
};

const addNativeStream = (
  app: FastifyInstance,
  { config, calls, decoding }: StreamParts,
  sockets: OpenSockets,
  upgrades: Upgrades,
): void => {
  const accept = sockets.accepting({
    maxPayload: LIMITS.streamFrameBytesMax,
    selectProtocol: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  app.get(PATHS.stream, { schema: { hide: true } as object }, async (request, reply) => {
    if (!upgrades.isPending(request.raw)) return explain(request, reply, calls);
    const { headers } = request.raw;
    checkUpgradeHeaders(headers);
    const principal = await calls.authenticate(presentedKey(request.query as Query, headers));
    const stream = readStreamRequest(request.query as Query);
    const call = await withLimitHeaders(reply, () =>
      calls.pacingRefusals(principal, reply.raw, () =>
        calls.openStream({ requestId: request.id, principal }, stream.transcription.model),
      ),
    );
    return accept(request, reply, {
      call,
      headers: rateLimitHeaders(call.limit, call.remaining),
      settings: stream.audio,
      openProtocol: (context) => new NativeProtocol(context, stream, () => decoding.openPcm16(stream.audio)),
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
