// The HTTP application: request ids, logs, errors and limits shared by all routes.
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AddressList } from '../../lib/net/address-list.ts';
import { newRequestId } from '../../lib/request-id.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Readiness } from '../../observability/readiness.ts';
import { readTraceParent } from '../../observability/trace-parent.ts';
import { noTracer, type Tracer } from '../../observability/tracer.ts';
import { accessLog } from './access-log.ts';
import { collectAllowedMethods } from './allowed-methods.ts';
import { addCors } from './browsers/cors.ts';
import { clientAddress } from './client-address.ts';
import { limitConnections } from './connection-limits.ts';
import { addEarlyResponses } from './early-response.ts';
import { ErrorFormats } from './error-formats.ts';
import { addConnectRefusal, addFailures, answerFailure, answerUnreadable } from './failures.ts';
import { LingeringConnections, type LingerLimits } from './lingering-close.ts';
import { limitParsedBodies } from './parsed-bodies.ts';
import { oneAtATime } from './request-order.ts';
import { type HttpSettings, longUploadTimeoutMs } from './settings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address; behind a trusted proxy, the one that it reports. */
    clientAddress: string;
  }
}

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface HttpParts {
  readonly config: HttpSettings;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Default: no tracing. */
  readonly tracer?: Tracer;
  /** The certificate chain and its key. Default: the server speaks plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Time limit for bodies that are parsed as a whole. */
  readonly bodyTimeoutMs?: number;
  /** How long connections linger after an answer that was sent before the body arrived. */
  readonly linger?: LingerLimits;
}

/** Largest body of routes that parse it as a whole. Routes for files have their own limits. */
const PARSED_BODY_BYTES_MAX = 256 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
/** A stream's URL can hold 1,000 terms. */
const HEADERS_BYTES_MAX = 64 * 1024;
/** How often Node checks for connections past their time-out. */
const CONNECTIONS_CHECK_MS = 5_000;
/** Back-pressure can slow an upload down, so Node's own time-out is only a last resort behind the upload time-out. */
const REQUEST_TIMEOUT_SLACK_MS = 6 * 60 * 60_000;

const SERVER_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  maxHeaderSize: HEADERS_BYTES_MAX,
  connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
  // Node's own answer would lack the contract's error object.
  requireHostHeader: false,
};

export const createHttp = (parts: HttpParts): FastifyInstance => {
  const { config, log, metrics, bodyTimeoutMs, linger, tls, tracer = noTracer } = parts;
  const lingering = new LingeringConnections(linger);
  const watch = accessLog({ log, metrics });
  const trusted = new AddressList(config.trustedProxies);
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    genReqId: newRequestId,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: PARSED_BODY_BYTES_MAX,
    requestTimeout: longUploadTimeoutMs(config) + REQUEST_TIMEOUT_SLACK_MS,
    ...(tls ? { https: { ...tls, ...SERVER_OPTIONS } } : { http: SERVER_OPTIONS }),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Hooks do not run for a URL that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      watch(request, reply);
      answerFailure(error, request, reply);
    },
    clientErrorHandler: answerUnreadable(log, lingering) as (error: Error, socket: Socket) => void,
  });
  app.decorate('errorFormats', new ErrorFormats());
  app.decorateRequest('clientAddress', '');
  app.addHook('onRequest', async (request, reply) => {
    watch(request, reply);
    request.clientAddress = clientAddress(request.ip, request.headers, trusted);
    reply.header('x-request-id', request.id);
    continueTrace(tracer, request, reply);
  });
  limitConnections(app.server, config);
  const [serve] = app.server.listeners('request');
  const serveInOrder = oneAtATime(serve as RequestListener);
  app.server.removeAllListeners('request');
  // Without listeners for the other two events, Node sends `100 Continue` to every client before any check.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) app.server.on(event, serveInOrder);
  limitParsedBodies(app, bodyTimeoutMs);
  addCors(app);
  addFailures(app, collectAllowedMethods(app));
  addConnectRefusal(app, log);
  addEarlyResponses(app, lingering);
  return app;
};

/** The spans of a request with a `traceparent` belong to the caller's trace. */
const continueTrace = (tracer: Tracer, { id, headers }: FastifyRequest, { raw }: FastifyReply): void => {
  if (tracer === noTracer) return;
  const parent = readTraceParent(headers.traceparent);
  if (parent === null) return;
  tracer.adopt(id, parent);
  raw.once('close', () => tracer.forget(id));
};

/** A kept-alive connection would delay the stop. */
export const closeWhenDraining = (app: FastifyInstance, { draining }: Readiness): void => {
  app.addHook('onSend', async (_request, reply) => {
    if (draining.aborted) reply.header('connection', 'close');
  });
};
