// Deepgram's live endpoint: GET /v1/listen with an upgrade.
import { LIMITS, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { Calls } from '../../../calls/calls.ts';
import { ModelNames } from '../../../calls/model-names.ts';
import type { ModelNameSettings } from '../../../calls/settings.ts';
import { Fault } from '../../../lib/fault.ts';
import { withDisconnectSignal } from '../../../transport/http/disconnect-signal.ts';
import { checkUpgradeHeaders } from '../../../transport/websocket/handshake.ts';
import type { StreamSettings } from '../../../transport/websocket/settings.ts';
import type { OpenSockets } from '../../../transport/websocket/sockets.ts';
import type { Query } from '../parameters.ts';
import { requestUuid } from '../request-uuid.ts';
import { listenKey, readListenRequest, selectListenProtocol } from './handshake.ts';
import { ListenProtocol } from './listen-protocol.ts';

const UPGRADE_REQUIRED = 426;
const ONLY_WEBSOCKETS = 'GET is for WebSockets here: connect with ws:// or wss://, or POST a recording.';

export interface DeepgramStreamParts {
  readonly config: ModelNameSettings & Pick<StreamSettings, 'idleTimeoutMs'>;
  readonly calls: Calls;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
  readonly sockets: OpenSockets;
}

export const addDeepgramStream = (app: FastifyInstance, parts: DeepgramStreamParts): void => {
  const { calls, config, decoding, sockets } = parts;
  const names = new ModelNames(config.modelAliases, config.models);
  const accept = sockets.accepting({
    path: PATHS.deepgramListen,
    maxPayload: LIMITS.streamFrameBytesMax,
    selectProtocol: selectListenProtocol,
  });

  /** With a key, a plain request is told what a handshake would be told: browsers hide that answer from their scripts. */
  const explain = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { headers } = request.raw;
    if (headers.authorization === undefined) throw new Fault('INVALID_REQUEST', { message: ONLY_WEBSOCKETS });
    const principal = await calls.authenticate(listenKey(headers));
    await calls.checkStream(principal, readListenRequest(request.query as Query, names).live.model);
    return reply
      .code(UPGRADE_REQUIRED)
      .header('upgrade', 'websocket')
      .send({ err_code: 'Upgrade Required', err_msg: ONLY_WEBSOCKETS, request_id: requestUuid(request.id) });
  };

  app.get(PATHS.deepgramListen, { schema: { hide: true } as object }, async (request, reply) => {
    if (!sockets.isUpgrade(request)) return explain(request, reply);
    checkUpgradeHeaders(request.raw.headers);
    const principal = await calls.authenticate(listenKey(request.raw.headers));
    const listen = readListenRequest(request.query as Query, names);
    const call = await withDisconnectSignal(reply.raw, (signal) =>
      calls.pacingRefusals(principal, signal, () =>
        calls.openStream({ requestId: request.id, principal }, listen.live.model),
      ),
    );
    return accept(request, reply, {
      call,
      headers: { 'dg-request-id': requestUuid(call.requestId) },
      // Before its first audio, a client may keep the connection alive without limit.
      settings: { isLive: true, firstFrameTimeoutMs: config.idleTimeoutMs },
      openProtocol: (context) => new ListenProtocol(context, { request: listen, decoding }),
    });
  });
};
