// The Prometheus metrics page, protected by a token if one is set.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../lib/fault.ts';
import { cachedFor } from '../../lib/time/cached-for.ts';
import type { Metrics } from '../../observability/metrics.ts';

/** Rendering takes milliseconds of the event loop, so the page is cached. */
const PAGE_KEPT_MS = 1_000;

export interface MetricsPageParts {
  readonly metrics: Metrics;
  /** The required bearer token; undefined leaves the page open. */
  readonly token: string | undefined;
}

export const addMetrics = (app: FastifyInstance, { metrics, token }: MetricsPageParts): void => {
  const page = cachedFor(PAGE_KEPT_MS, () => metrics.page());
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined && !holdsToken(request.headers.authorization, token))
      throw new Fault('UNAUTHORIZED', { message: 'Send the metrics token as "Authorization: Bearer <TOKEN>".' });
    const { type, text } = await page();
    return reply.header('cache-control', 'no-store').type(type).send(text);
  });
};

const holdsToken = (header: string | undefined, token: string): boolean => {
  const presented = Buffer.from(/^bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '');
  const wanted = Buffer.from(token);
  return presented.length === wanted.length && timingSafeEqual(presented, wanted);
};
