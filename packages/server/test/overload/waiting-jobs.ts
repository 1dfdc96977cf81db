// Thousands of waiting jobs of one account: what they cost the memory, and a neighbour's live requests.
import { FORM_TYPE } from '../http/forms.ts';
import { JOBS_SECRET } from '../jobs/job-service.ts';
import { type Figure, percentile } from './figures.ts';
import { type LoadServer, startLoadServer } from './load-server.ts';
import { sendFile, uploadOf } from './requests.ts';

export interface WaitingJobsOptions {
  readonly jobs?: number;
  readonly clips?: number;
}

const COMPUTE = { slots: 4, windowMs: 300, audioSecondMs: 60 };
const CLIP_SECONDS = 3;
const JOB_SECONDS = 1;
const SUBMITTERS = 8;
const MB = 2 ** 20;

const clipTimes = async (server: LoadServer, key: string, clips: number): Promise<number[]> => {
  const times: number[] = [];
  for (let nth = 0; nth < clips; nth++) {
    const { status, ms } = await sendFile(server, key, uploadOf(CLIP_SECONDS));
    times.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
  }
  return times;
};

const submitJobs = async (server: LoadServer, key: string, jobs: number): Promise<void> => {
  const headers = { authorization: `Token ${key}`, 'content-type': FORM_TYPE };
  let left = jobs;
  const submitter = async () => {
    while (left-- > 0) {
      const body = uploadOf(JOB_SECONDS);
      const response = await fetch(`${server.address}/v1/jobs`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      if (response.status !== 202) throw new Error(`a job was answered with ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitter));
};

export const waitingJobs = async ({ jobs = 10_000, clips = 60 }: WaitingJobsOptions = {}): Promise<Figure[]> => {
  const env = { FAIRCOPY_JOBS: 'true', FAIRCOPY_JOBS_SECRET: JOBS_SECRET, FAIRCOPY_JOBS_MAX_WAITING: '1000000' };
  const server = await startLoadServer({ accounts: 2, compute: COMPUTE }, env);
  try {
    const [busyKey, neighbour] = server.keys as [string, string];
    // The first calls compile and fill caches.
    await clipTimes(server, neighbour, 5);
    await submitJobs(server, busyKey, Math.min(jobs, 200));
    const quietServer = await startLoadServer({ accounts: 1, compute: COMPUTE }, env);
    await clipTimes(quietServer, quietServer.keys[0]!, 5);
    const quiet = await clipTimes(quietServer, quietServer.keys[0]!, clips);
    await quietServer.close();
    const fewBytes = (await server.state('collect')).heapBytes;
    await submitJobs(server, busyKey, jobs);
    const manyBytes = (await server.state('collect')).heapBytes;
    const busy = await clipTimes(server, neighbour, clips);
    const ratio = percentile(busy, 0.95) / percentile(quiet, 0.95);
    const growth = (manyBytes - fewBytes) / MB;
    return [
      {
        what: `heap with ${jobs} waiting jobs, beyond that with 200`,
        value: `${growth.toFixed(1)} MB`,
        target: 'at most 10 MB',
        met: growth <= 10,
      },
      {
        what: `a neighbour's ${CLIP_SECONDS} s clip meanwhile, p95`,
        value: `${ratio.toFixed(2)} × ${percentile(quiet, 0.95).toFixed(0)} ms`,
        target: 'at most 1.2 ×',
        met: ratio <= 1.2,
      },
      {
        what: "the neighbour's clips that were refused",
        value: String(busy.filter((ms) => !Number.isFinite(ms)).length),
        target: '0',
        met: busy.every(Number.isFinite),
      },
    ];
  } finally {
    await server.close();
  }
};
