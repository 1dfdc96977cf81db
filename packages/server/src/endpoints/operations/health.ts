// Health for probes: /healthz says that the process runs, /readyz whether it can serve requests, tier by tier.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { cachedFor } from '../../lib/time/cached-for.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../../lib/time/retry-after.ts';
import type { Readiness } from '../../observability/readiness.ts';

export interface HealthParts {
  readonly readiness: Readiness;
  /** By the message of a failure: each rejects, or resolves to false, when it fails. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** The tiers on offer, each with the reason why it cannot be served now; null when it can. */
  readonly tiers?: () => ReadonlyMap<string, string | null>;
}

/** A probe should learn soon that a database hangs, instead of hanging with it. */
const PING_TIMEOUT_MS = 2_000;
/** Probes may come from anywhere and without a key, so they share one ping of the database. */
const PING_KEPT_MS = 1_000;

export const addHealth = (app: FastifyInstance, { readiness, checks, tiers = () => new Map() }: HealthParts): void => {
  const answering = Object.entries(checks).map(([message, ping]) => ({
    message,
    answers: cachedFor(PING_KEPT_MS, () => answersInTime(ping)),
  }));
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));

  app.get<{ Querystring: { tier?: string } }>('/readyz', async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    if (readiness.state !== 'ready') return notReady(reply, readiness.state, { message: readiness.message });
    for (const { message, answers } of answering) if (!(await answers())) return notReady(reply, 'failed', { message });
    const offered = tiers();
    if (offered.size === 0) return reply.send({ status: 'ready' });
    const missing = [...offered].filter(([, reason]) => reason !== null);
    const body = { tiers: Object.fromEntries([...offered].map(([tier, reason]) => [tier, reason ?? 'ready'])) };
    if (query.tier !== undefined) {
      const reason = offered.has(query.tier) ? offered.get(query.tier)! : 'this server does not offer it';
      if (reason !== null) return notReady(reply, 'failed', { message: `${query.tier}: ${reason}`, ...body });
    }
    if (missing.length === 0) return reply.send({ status: 'ready', ...body });
    const message = missing.map(([tier, reason]) => `${tier}: ${reason}`).join('; ');
    // With one tier left the server is of use: taking it out of rotation would make things worse.
    if (missing.length < offered.size) return reply.send({ status: 'degraded', message, ...body });
    return notReady(reply, 'failed', { message, ...body });
  });
};

const notReady = (reply: FastifyReply, status: string, body: { readonly message: string }): FastifyReply =>
  reply
    .code(503)
    .header('retry-after', String(RETRY_AFTER_SECONDS_DEFAULT))
    .send({ status, ...body });

const answersInTime = async (ping: () => Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
  });
  const answer = ping().then(
    (result) => result !== false,
    () => false,
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
