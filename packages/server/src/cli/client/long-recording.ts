// Transcribes a recording that is too long for one request as a job. A second run finds the job of the first.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaircopyError } from '@faircopy/client';
import { type JobBody, type JobObject, LIMITS, type SuccessResponse } from '@faircopy/contract';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { JobClient, JobOptions, Sending } from './job-client.ts';
import { JobFailed } from './job-failed.ts';
import { feed } from './recording-upload.ts';

const POLL_MS = 2_000;
/** Notes of jobs are kept for this long; the server deletes its jobs earlier. */
const REMEMBERED_MS = 14 * 24 * 60 * 60_000;

/** Whether a recording is too long for POST /v1/transcribe. If it cannot be measured, that endpoint decides. */
export const isTooLong = async (recording: Blob, decoding: UploadDecoding): Promise<boolean> => {
  if (recording.size > LIMITS.fileBytesMax) return true;
  const decoder = decoding.open({ maxDurationSeconds: Number.POSITIVE_INFINITY, formats: 'all', measure: 'length' });
  feed(decoder, recording);
  try {
    for await (const _samples of decoder);
  } catch {
    return false;
  }
  return decoder.durationSeconds > LIMITS.fileDurationSecondsMax;
};

export interface LongRecording {
  /** How a second run recognises it: its path, size and time, or its hash. Null when it can be read only once. */
  readonly identity: string | null;
  readonly audio: Blob;
  readonly options: JobOptions;
  /** The server's address and the caller's key, of which only a hash is stored. */
  readonly caller: { readonly url: string; readonly apiKey: string };
}

export interface JobProgress extends Sending {
  readonly onJob?: ((job: JobObject) => void) | undefined;
  /** Aborts waiting for the job, which continues on the server. */
  readonly leave?: AbortSignal | undefined;
}

/** Waiting for the job was aborted; the next run of the same command waits for it again. */
class StillRunning extends Error {
  constructor({ id }: JobObject) {
    super(`Job ${id} continues on the server. Run the same command again to get its transcript.`);
  }
}

export const transcribeAsJob = async (
  jobs: JobClient,
  long: LongRecording,
  progress: JobProgress,
): Promise<SuccessResponse> => {
  const signal = anySignal(progress.signal, progress.leave);
  const note = noteOf(long);
  let body: JobBody | null = await rememberedJob(jobs, note, signal);
  if (body === null) {
    body = await createJob(jobs, long, progress).catch(explainNoJobs);
    await remember(note, body.job.id);
    // The answer to a retry has the job, but not its result.
    if (body.job.ended_at !== null) body = await jobs.get(body.job.id, signal);
  }
  while (body.job.ended_at === null) {
    progress.onJob?.(body.job);
    try {
      await pause(POLL_MS, undefined, { signal });
      body = await jobs.get(body.job.id, signal);
    } catch (thrown) {
      if (signal.aborted) throw new StillRunning(body.job);
      if ((thrown as Partial<FaircopyError>).code !== 'CONNECTION_FAILED') throw thrown;
    }
  }
  await forget(note);
  const { job, answer } = body;
  if (answer) return answer;
  throw new JobFailed(job);
};

const anySignal = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** A failed job of a recording is replaced by a new one at most this many times. */
const FAILED_JOBS_MAX = 8;

/** With an idempotency key, the job of an interrupted run is found again. A failed job is replaced by a new one. */
const createJob = async (jobs: JobClient, long: LongRecording, progress: JobProgress): Promise<JobBody> => {
  let { idempotencyKey } = progress;
  for (let failed = 0; ; failed += 1) {
    const body = await jobs.create(long.audio, long.options, { ...progress, idempotencyKey });
    if (idempotencyKey === undefined || !hasNoAnswer(body.job) || failed === FAILED_JOBS_MAX) return body;
    idempotencyKey = createHash('sha256').update(`${idempotencyKey} ${body.job.id}`).digest('hex');
  }
};

const hasNoAnswer = ({ state }: JobObject): boolean => state === 'failed' || state === 'cancelled';

const explainNoJobs = (thrown: Partial<FaircopyError>): never => {
  if (thrown.code !== 'NOT_FOUND') throw thrown;
  throw new Error('The recording is too long for one request, and this server does not accept jobs.');
};

/** Null when there is no job, or it cannot be used any more. */
const rememberedJob = async (jobs: JobClient, note: string | null, signal: AbortSignal | undefined) => {
  const id = note === null ? null : await readFile(note, 'utf8').catch(() => null);
  if (id === null) return null;
  try {
    const body = await jobs.get(id.trim(), signal);
    return hasNoAnswer(body.job) ? null : body;
  } catch (thrown) {
    if (['NOT_FOUND', 'FORBIDDEN'].includes((thrown as Partial<FaircopyError>).code ?? '')) return null;
    throw thrown;
  }
};

const notesFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'faircopy', 'unfinished-jobs');

/** The file that holds the job's id, named by a hash of the caller, the recording's identity and the options. */
const noteOf = ({ identity, options, caller }: LongRecording): string | null => {
  if (identity === null) return null;
  const asked = JSON.stringify([caller.url, caller.apiKey, identity, options]);
  return join(notesFolder(), createHash('sha256').update(asked).digest('hex'));
};

/** Without a cache folder, a second run starts over. */
const remember = async (note: string | null, id: string): Promise<void> => {
  if (note === null) return;
  try {
    await mkdir(notesFolder(), { recursive: true, mode: 0o700 });
    await writeFile(note, `${id}\n`, { mode: 0o600 });
    for (const name of await readdir(notesFolder())) {
      const path = join(notesFolder(), name);
      if (Date.now() - (await stat(path)).mtimeMs > REMEMBERED_MS) await rm(path, { force: true });
    }
  } catch {}
};

const forget = async (note: string | null): Promise<void> => {
  if (note !== null) await rm(note, { force: true }).catch(() => undefined);
};
