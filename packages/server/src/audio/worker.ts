// The thread that decodes: takes turns between its jobs, and shows by its heartbeat that it is alive.
import { parentPort, workerData } from 'node:worker_threads';
import { Job } from './job.ts';
import { HEARTBEAT_COUNT, HEARTBEAT_JOB, type ThreadData, type ToThread } from './protocol.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const { heartbeat } = workerData as ThreadData;

// The Opus library tells the console about every bad packet; a hostile file has thousands.
console.error = () => undefined;

const jobs = new Map<number, Job>();
/** Jobs that may have something to do, in the order of their turns. */
const waiting = new Set<Job>();
let state: 'asleep' | 'running' = 'asleep';

const beat = (): void => {
  Atomics.add(heartbeat, HEARTBEAT_COUNT, 1);
};

/** Between two turns messages are let in: an abort or new bytes for another job. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const run = async (): Promise<void> => {
  state = 'running';
  for (let [job] = waiting; job; [job] = waiting) {
    waiting.delete(job);
    Atomics.store(heartbeat, HEARTBEAT_JOB, job.id);
    const { report, runAgain } = await job.slice(beat);
    Atomics.store(heartbeat, HEARTBEAT_JOB, 0);
    if (report) port.postMessage(report, report.samples ? [report.samples.buffer as ArrayBuffer] : []);
    if (report?.outcome) jobs.delete(job.id);
    if (runAgain) waiting.add(job);
    await nextTurn();
  }
  state = 'asleep';
};

const handle = (message: ToThread): Job | undefined => {
  if (message.op === 'open') {
    const job = new Job(message.job, message.what, message.creditSamples);
    jobs.set(message.job, job);
    return job;
  }
  const job = jobs.get(message.job);
  if (message.op === 'bytes') job?.push(message.bytes);
  else if (message.op === 'end') job?.end();
  else if (message.op === 'credit') job?.credit(message.samples);
  else {
    job?.free();
    jobs.delete(message.job);
    return undefined;
  }
  return job;
};

port.on('message', (message: ToThread) => {
  const job = handle(message);
  if (!job) return;
  waiting.add(job);
  if (state === 'asleep') void run();
});
