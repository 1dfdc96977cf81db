// A WebSocket endpoint: checks the handshake, opens the call and hands the connection to its protocol.
import type { ModelId } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../accounts/principal.ts';
import type { Calls } from '../../calls/calls.ts';
import { StreamLimitReached } from '../../calls/refusals.ts';
import type { StreamCall } from '../../calls/streams/stream-call.ts';
import { withDisconnectSignal } from '../http/disconnect-signal.ts';
import type { ConnectionSettings } from './connection-types.ts';
import { checkUpgradeHeaders, type Query, rateLimitHeaders } from './handshake.ts';
import type { OpenSockets, SocketEndpoint } from './sockets.ts';
import type { ProtocolContext, StreamProtocol } from './stream-protocol.ts';

const UPGRADE_REQUIRED = 426;

export interface StreamEndpointParts {
  readonly calls: Calls;
  readonly sockets: OpenSockets;
}

export interface StreamEndpoint<Request> extends SocketEndpoint {
  readonly authenticate: (request: FastifyRequest) => Promise<Principal>;
  /** Parses the query of an authenticated handshake. Throws a Fault. */
  readonly read: (query: Query, request: FastifyRequest) => Request;
  readonly modelOf: (request: Request) => ModelId;
  /** Tags of the usage row. */
  readonly tagsOf: (request: Request) => readonly string[];
  readonly settingsOf: (request: Request) => Partial<ConnectionSettings>;
  /** Headers of an accepted handshake, besides the request id. */
  readonly headersOf: (call: StreamCall) => Readonly<Record<string, string>>;
  readonly openProtocol: (context: ProtocolContext, request: Request) => StreamProtocol;
  /** Whether a plain request has a key; only then is it checked like a handshake. */
  readonly hasKey: (request: FastifyRequest) => boolean;
  /** The error body for a plain request, which asks for a WebSocket. */
  readonly explain: (requestId: string) => object;
}

export const addStreamEndpoint = <Request>(
  app: FastifyInstance,
  endpoint: StreamEndpoint<Request>,
  { calls, sockets }: StreamEndpointParts,
): void => {
  const accept = sockets.accepting(endpoint);

  /**
   * Browsers hide the response to a refused handshake from scripts. A plain request with a key gets the same refusal,
   * so that a script can learn the reason.
   */
  const explain = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (endpoint.hasKey(request)) {
      const principal = await endpoint.authenticate(request);
      const model = endpoint.modelOf(endpoint.read(request.query as Query, request));
      await withLimitHeaders(reply, () => calls.checkStream(principal, model));
    }
    return reply.code(UPGRADE_REQUIRED).header('upgrade', 'websocket').send(endpoint.explain(request.id));
  };

  app.get(endpoint.path, { schema: { hide: true } as object }, async (request, reply) => {
    if (!sockets.isUpgrade(request)) return explain(request, reply);
    checkUpgradeHeaders(request.raw.headers);
    const principal = await endpoint.authenticate(request);
    const streamRequest = endpoint.read(request.query as Query, request);
    const call = await withLimitHeaders(reply, () =>
      withDisconnectSignal(reply.raw, (signal) =>
        calls.pacingRefusals(principal, signal, () =>
          calls.openStream(
            { requestId: request.id, principal },
            endpoint.modelOf(streamRequest),
            endpoint.tagsOf(streamRequest),
          ),
        ),
      ),
    );
    return accept(request, reply, {
      call,
      headers: endpoint.headersOf(call),
      settings: endpoint.settingsOf(streamRequest),
      openProtocol: (context) => endpoint.openProtocol(context, streamRequest),
    });
  });
};

const withLimitHeaders = async <T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof StreamLimitReached) reply.headers(rateLimitHeaders(thrown.limit, 0));
    throw thrown;
  }
};
