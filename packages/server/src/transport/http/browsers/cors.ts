// Cross-origin access for browsers. It is safe because requests are authorised by a key in a header, never by a cookie.
import type { FastifyInstance } from 'fastify';

const isOpen = (url: string): boolean =>
  url.startsWith('/v1/') || url.startsWith('/client/') || url === '/openapi.json' || url === '/asyncapi.json';

/** Response headers that scripts of other origins may read. */
const EXPOSED = [
  'x-request-id',
  'retry-after',
  'idempotent-replayed',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
] as const;

export const addCors = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (!isOpen(request.url.split('?', 1)[0]!)) return;
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED.join(', '),
    });
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      reply.headers({
        'access-control-allow-methods': 'GET, POST',
        // Vendors' clients send their own headers. `*` covers all but Authorization (Fetch standard).
        'access-control-allow-headers': 'authorization, content-type, *',
        'access-control-max-age': '86400',
      });
  });
};
