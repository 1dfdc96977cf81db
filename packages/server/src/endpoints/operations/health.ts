// Health endpoints for probes: /healthz reports that the process runs, /readyz whether it can serve each tier.
import type { FastifyInstance } from 'fastify';
import { BUILD } from '../../lib/process/version.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../../lib/time/retry-after.ts';
import type { ReadyReport } from './ready-report.ts';

export const addHealth = (app: FastifyInstance, report: () => Promise<ReadyReport>): void => {
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive', version: BUILD }),
  );

  app.get<{ Querystring: { tier?: string } }>('/readyz', async ({ query: { tier } }, reply) => {
    const found = forTier(await report(), tier);
    const { status, isReady, message, tiers } = found;
    reply.header('cache-control', 'no-store');
    if (!isReady) reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS_DEFAULT));
    return reply.send({
      status,
      ...(message !== undefined && { message }),
      ...(tiers.size > 0 && {
        tiers: Object.fromEntries([...tiers].map(([name, reason]) => [name, reason ?? 'ready'])),
      }),
    });
  });
};

/** A probe for one tier fails when that tier cannot be served. */
const forTier = (report: ReadyReport, tier: string | undefined): ReadyReport => {
  if (tier === undefined || !report.isReady || report.tiers.size === 0) return report;
  const reason = report.tiers.has(tier) ? report.tiers.get(tier)! : 'this server does not offer it';
  return reason === null ? report : { ...report, status: 'failed', isReady: false, message: `${tier}: ${reason}` };
};
