// One log line and one metric per request when it is over. The query is never logged.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';

/** Methods counted by name. Clients can invent others, and labels must stay few. */
const COUNTED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Set when the connection was upgraded, since that response bypasses Node's response object. */
const SWITCHED = 101;

/** Files of the console's pages, logged at debug level only. */
const STATIC = new Set(['/console/assets/*', '/console/icon.svg']);

const codes = new WeakMap<FastifyRequest['raw'], string>();

/** Notes the error code of a response for its log line. */
export const noteErrorCode = (request: FastifyRequest, code: string): void => {
  codes.set(request.raw, code);
};

export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => void;

export const accessLog =
  ({ log, metrics }: { log: Log; metrics: Metrics }): AccessLog =>
  (request, reply) => {
    const startedMs = performance.now();
    const { raw } = reply;
    // Unlike fastify's onResponse, these events also fire when the client disconnects early.
    let isOver = false;
    const onOver = () => {
      // Both events may fire for one response.
      if (isOver) return;
      isOver = true;
      // An early response is sent long before it ends, while the rest of the upload is discarded.
      const status = raw.headersSent || raw.statusCode === SWITCHED ? raw.statusCode : 0;
      const route = request.routeOptions?.url ?? 'none';
      const method = COUNTED.has(request.method) ? request.method : 'other';
      metrics.httpRequests.inc({ route, method, status });
      const ms = Math.round(performance.now() - startedMs);
      const code = codes.get(request.raw);
      const line = { requestId: request.id, method, route, status, ms, ...(code === undefined ? {} : { code }) };
      if (STATIC.has(route) && status < 400) log.debug(line, 'request');
      else log.info(line, 'request');
    };
    raw.on('finish', onOver).on('close', onOver);
  };
