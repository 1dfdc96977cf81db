// What operators and their machines ask: is it alive, does it take requests, what has it counted.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';
import type { Readiness } from '../platform/readiness.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../platform/retry-after.ts';

export interface HealthRooms {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Rejects when the database does not answer. */
  readonly pingDatabase: () => Promise<unknown>;
}

/** A probe should hear soon that the database hangs, rather than hang with it. */
const PING_TIMEOUT_MS = 2_000;

export const addHealth = (app: FastifyInstance, { readiness, metrics, pingDatabase }: HealthRooms): void => {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (readiness.state !== 'ready') return notReady(reply, readiness.state, readiness.message);
    if (!(await answersInTime(pingDatabase))) return notReady(reply, 'failed', 'the database does not answer');
    return reply.send({ status: 'ready' });
  });

  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await metrics.page();
    return reply.header('cache-control', 'no-store').type(type).send(text);
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
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
