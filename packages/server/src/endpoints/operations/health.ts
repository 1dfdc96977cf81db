// Health checks: /healthz (the process runs) and /readyz (it accepts requests).
import type { FastifyInstance, FastifyReply } from 'fastify';
import { cachedFor } from '../../lib/time/cached-for.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../../lib/time/retry-after.ts';
import type { Readiness } from '../../observability/readiness.ts';

export interface HealthParts {
  readonly readiness: Readiness;
  /** Checks by the message for their failure. A check fails when it rejects or resolves to false. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
}

/** A probe must not hang with the database. */
const PING_TIMEOUT_MS = 2_000;
/** Probes need no key, so results are cached to protect the database. */
const PING_KEPT_MS = 1_000;

export const addHealth = (app: FastifyInstance, { readiness, checks }: HealthParts): void => {
  const answering = Object.entries(checks).map(([message, ping]) => ({
    message,
    answers: cachedFor(PING_KEPT_MS, () => answersInTime(ping)),
  }));
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (readiness.state !== 'ready') return notReady(reply, readiness.state, readiness.message);
    for (const { message, answers } of answering) if (!(await answers())) return notReady(reply, 'failed', message);
    return reply.send({ status: 'ready' });
  });
};

const notReady = (reply: FastifyReply, status: string, message: string): FastifyReply =>
  reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS_DEFAULT)).send({ status, message });

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
