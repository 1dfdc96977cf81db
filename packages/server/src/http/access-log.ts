// One line and one count per request, when it is over: route, status, time. Never an address with its query.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';

/** Methods that are counted by name; a caller can invent others, and labels must stay few. */
const COUNTED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Set by whoever has upgraded the connection: that answer does not go through the response. */
const SWITCHED = 101;

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
      log.info({ requestId: request.id, method, route, status, ms }, 'request');
    };
    raw.on('finish', onOver).on('close', onOver);
  };
