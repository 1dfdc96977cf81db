// Jobs of an account in the console. People can read only the results of jobs that they sent from the console.
import {
  type ConsoleJob,
  type ConsoleJobMatches,
  type ConsoleJobs,
  consoleJobSearch,
  consoleJobsQuery,
  type JobBody,
  type JobObject,
  PATHS,
  type SuccessResponse,
} from '@faircopy/contract';
import { excerptsOf } from '@faircopy/transcript';
import type { FastifyInstance } from 'fastify';
import { type JobListing, PURPOSES } from '../../jobs/job.ts';
import { jobBody, jobObject } from '../../jobs/job-body.ts';
import { cancelJob, findJob, listJobs } from '../../jobs/job-list.ts';
import { SealBroken, unsealWith } from '../../lib/sealed.ts';
import { pageOf } from '../../transport/http/listing.ts';
import { type JobFacts, jobFacts } from '../../usage/reports/job-facts.ts';
import { addJobUploads } from '../jobs/job-upload.ts';
import { parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

const PAGE_JOBS = 50;
/** A search reads this many of the newest results. */
const SEARCHED_MAX = 50;
const EXCERPTS_MAX = 3;

export const registerJobRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage, jobs: parts } = ports;
  const base = '/console/api/accounts/:accountId/jobs';
  if (parts) addJobUploads(app, { ...parts.upload, url: `/console/api${PATHS.jobs}`, resultSecret: parts.secret });

  const factsOf = (jobs: readonly JobListing[]): Promise<Map<string, JobFacts>> =>
    jobFacts(
      storage,
      jobs.map(({ id }) => id),
    );
  const shape = (job: JobListing, facts: JobFacts | undefined, personId: string): ConsoleJob => ({
    ...jobObject(job),
    audio_seconds: facts?.audioSeconds ?? null,
    billed_seconds: facts?.billedSeconds ?? null,
    key_name: facts?.keyName ?? null,
    is_own: facts?.consolePersonId === personId,
  });
  /** Null without a result, or when only an API key can open the result. */
  const answerOf = async (job: JobListing): Promise<SuccessResponse | null> => {
    const { sealedResult } = await findJob(storage, { id: job.id, accountId: job.accountId });
    if (!parts || sealedResult === null) return null;
    try {
      return JSON.parse(unsealWith(parts.secret, PURPOSES.result(job.id), sealedResult).toString('utf8'));
    } catch (thrown) {
      if (thrown instanceof SealBroken) return null;
      throw thrown;
    }
  };

  app.get(base, async (request): Promise<ConsoleJobs> => {
    const { account, person } = await visit(ports, request);
    const { before, state } = parsed(consoleJobsQuery, request.query);
    const jobs = await listJobs(storage, { accountId: account.id, before, state, limit: PAGE_JOBS + 1 });
    const { shown, next_before } = pageOf(jobs, PAGE_JOBS);
    const facts = await factsOf(shown);
    return { jobs: shown.map((job) => shape(job, facts.get(job.id), person.id)), next_before };
  });

  app.get<{ Params: { id: string } }>(`${base}/:id`, async (request): Promise<JobBody> => {
    const { account, person } = await visit(ports, request);
    const { job } = await findJob(storage, { id: request.params.id, accountId: account.id });
    const facts = await factsOf([job]);
    const isOwn = facts.get(job.id)?.consolePersonId === person.id;
    return jobBody(job, isOwn ? await answerOf(job) : null);
  });

  app.get(`${base}/matches`, async (request): Promise<ConsoleJobMatches> => {
    const { account, person } = await visit(ports, request);
    const { words } = parsed(consoleJobSearch, request.query);
    const ended = await listJobs(storage, { accountId: account.id, state: 'succeeded', limit: SEARCHED_MAX });
    const facts = await factsOf(ended);
    const own = ended.filter(({ id }) => facts.get(id)?.consolePersonId === person.id);
    const matches: ConsoleJobMatches['matches'] = [];
    // One at a time: each result is read and forgotten before the next.
    for (const job of own) {
      const answer = await answerOf(job);
      const excerpts = excerptsOf(answer?.result.transcript ?? '', words, EXCERPTS_MAX);
      if (excerpts.length > 0) matches.push({ job: shape(job, facts.get(job.id), person.id), excerpts });
    }
    return { matches };
  });

  app.post<{ Params: { id: string } }>(`${base}/:id/cancel`, async (request): Promise<JobObject> => {
    const { account } = await visit(ports, request);
    const job = await cancelJob(storage, { id: request.params.id, accountId: account.id });
    parts?.upload.onChange();
    return jobObject(job);
  });
};
