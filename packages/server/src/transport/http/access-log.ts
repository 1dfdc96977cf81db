// One line and one count per request, when it is over: route, status, time. Never an address with its query.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';

/** Methods that are counted by name; a caller can invent others, and labels must stay few. */
const COUNTED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Set by whoever has upgraded the connection: that answer does not go through the response. */
const SWITCHED = 101;

/** Files of the console's pages: many for each page, and of no interest. */
const STATIC = new Set(['/console/assets/*', '/console/icon.svg']);

const codes = new WeakMap<FastifyRequest['raw'], string>();

/** The error code that a request is answered with, for its line. */
export const noteErrorCode = (request: FastifyRequest, code: string): void => {
  codes.set(request.raw, code);
};

/** Watches one request until it is over. */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => void;

export const accessLog =
  ({ log, metrics }: { log: Log; metrics: Metrics }): AccessLog =>
  (request, reply) => {
    const startedMs = performance.now();
    const { raw } = reply;
    // Unlike fastify's onResponse this also comes when the client leaves before its answer.
    let isOver = false;
    const onOver = () => {
      // One event may be emitted within the other, and each of them has its own list of listeners.
      if (isOver) return;
      isOver = true;
      // An answer may have left long before its response ends, as when the rest of an upload is read and dropped.
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
