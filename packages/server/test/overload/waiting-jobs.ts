// Measures what thousands of waiting jobs of one account cost in memory and in the response times of a neighbour.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { hashOfKey } from '../../src/accounts/keys/key-format.ts';
import { PURPOSES } from '../../src/jobs/job.ts';
import { publicKeyOf, seal } from '../../src/lib/sealed.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { wavOf } from '../http/forms.ts';
import { JOBS_SECRET } from '../jobs/job-service.ts';
import { type Figure, percentile } from './figures.ts';
import { startLoadServer } from './load-server.ts';
import { CLIP_SECONDS, COMPUTE, clipTimes, refusedFigure } from './neighbour.ts';

export interface WaitingJobsOptions {
  readonly jobs?: number;
  readonly clips?: number;
}

const JOB_WORDS = 3;
const BATCH_JOBS = 100;
const FEW_JOBS = 200;
const WARM_CLIPS = 5;
const DAY_MS = 24 * 60 * 60_000;
const MB = 2 ** 20;

/** Writes waiting jobs to the database as the intake does, because ten thousand uploads would take long. */
const addJobs = async (storage: Storage, key: string, jobs: number): Promise<void> => {
  const caller = await storage.read
    .selectFrom('api_keys')
    .select(['id', 'account_id'])
    .where('hash', '=', hashOfKey(key))
    .executeTakeFirstOrThrow();
  const transcription = { model: 'svc-1.0-lite', languageHint: 'en', wantWordTimes: false } as const;
  const request = Buffer.from(JSON.stringify({ transcription, include: [], webhookUrl: null }));
  const audio = wavOf(spoken(story(JOB_WORDS)));
  for (let done = 0; done < jobs; done += BATCH_JOBS) {
    const ids = Array.from({ length: Math.min(BATCH_JOBS, jobs - done) }, () => ulid());
    const nowMs = Date.now();
    await storage.write.transaction().execute(async (trx) => {
      for (const id of ids) {
        await trx
          .insertInto('jobs')
          .values({
            id,
            account_id: caller.account_id,
            key_id: caller.id,
            state: 'waiting',
            model: 'svc-1.0-lite',
            attempts: 0,
            audio_bytes: audio.length,
            webhook_attempts: 0,
            due_at_ms: nowMs,
            created_at_ms: nowMs,
            expires_at_ms: nowMs + DAY_MS,
            sealed_request: seal(JOBS_SECRET, PURPOSES.request(id), request),
            caller_public_key: publicKeyOf(key, PURPOSES.result(id)),
          })
          .execute();
        const sealed = seal(JOBS_SECRET, PURPOSES.audio(id, 0), audio);
        await trx.insertInto('job_audio').values({ job_id: id, part: 0, sealed }).execute();
      }
    });
  }
};

export const waitingJobs = async ({ jobs = 10_000, clips = 60 }: WaitingJobsOptions = {}): Promise<Figure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-jobs-'));
  const env = { FAIRCOPY_JOBS: 'true', FAIRCOPY_JOBS_SECRET: JOBS_SECRET, FAIRCOPY_DATA_DIR: dataDir };
  const server = await startLoadServer({ accounts: 2, compute: COMPUTE }, env);
  const storage = await openStorage({ dataDir });
  try {
    const [busyKey, neighbour] = server.keys as [string, string];
    // The first calls compile and fill caches.
    await clipTimes(server, neighbour, WARM_CLIPS);
    const quiet = await clipTimes(server, neighbour, clips);
    await addJobs(storage, busyKey, Math.min(jobs, FEW_JOBS));
    await clipTimes(server, neighbour, WARM_CLIPS);
    const fewBytes = (await server.state()).heapBytes;
    await addJobs(storage, busyKey, jobs);
    const busy = await clipTimes(server, neighbour, clips);
    const manyBytes = (await server.state()).heapBytes;
    const waiting = await countWaiting(storage);
    const ratio = percentile(busy.ms, 0.95) / percentile(quiet.ms, 0.95);
    const growth = (manyBytes - fewBytes) / MB;
    return [
      {
        what: `heap with ${waiting} waiting jobs, beyond that with ${FEW_JOBS}`,
        value: `${growth.toFixed(1)} MB`,
        target: 'at most 10 MB',
        met: growth <= 10,
      },
      {
        what: `a neighbour's ${CLIP_SECONDS} s clip meanwhile, p95`,
        value: `${ratio.toFixed(2)} × ${percentile(quiet.ms, 0.95).toFixed(0)} ms`,
        target: 'at most 1.2 ×',
        met: ratio <= 1.2,
      },
      refusedFigure(busy.refusals),
    ];
  } finally {
    await storage.close();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const countWaiting = async (storage: Storage): Promise<number> => {
  const jobs = storage.read.selectFrom('jobs').select(({ fn }) => fn.countAll<number>().as('waiting'));
  return Number((await jobs.where('state', '=', 'waiting').executeTakeFirstOrThrow()).waiting);
};
