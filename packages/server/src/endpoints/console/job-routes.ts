// Jobs of an account in the console: their state, never their transcripts.
import { type ConsoleJobs, consoleJobsQuery, type JobObject } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { jobObject } from '../../jobs/job-body.ts';
import { cancelJob, listJobs } from '../../jobs/job-list.ts';
import { parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

const PAGE_JOBS = 50;

export const registerJobRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const base = '/console/api/accounts/:accountId/jobs';

  app.get(base, async (request): Promise<ConsoleJobs> => {
    const { account } = await visit(ports, request);
    const { before, state } = parsed(consoleJobsQuery, request.query);
    const jobs = await listJobs(ports.storage, { accountId: account.id, before, state, limit: PAGE_JOBS + 1 });
    const shown = jobs.slice(0, PAGE_JOBS);
    return { jobs: shown.map(jobObject), next_before: jobs.length > PAGE_JOBS ? shown.at(-1)!.id : null };
  });

  app.post<{ Params: { id: string } }>(`${base}/:id/cancel`, async (request): Promise<JobObject> => {
    const { account } = await visit(ports, request);
    return jobObject(await cancelJob(ports.storage, { id: request.params.id, accountId: account.id }));
  });
};
