// Settings of jobs: whether they are enabled, and their limits.
import { z } from 'zod';
import { declareSettings, setting } from '../config/setting.ts';
import { wholeNumber } from '../config/values.ts';

export const jobSettings = declareSettings({
  topic: 'Jobs',
  settings: {
    jobs: setting(
      'FAIRCOPY_JOBS',
      z
        .enum(['true', 'false'], 'must be true or false')
        .transform((value) => value === 'true')
        .optional(),
      'Accepts files with POST /v1/jobs for transcription in the background; they are stored in the database, encrypted. Default: on with SQLite, and with PostgreSQL if FAIRCOPY_JOBS_SECRET is set.',
    ),
    jobsSecret: setting(
      'FAIRCOPY_JOBS_SECRET',
      z.string().min(32, 'must have at least 32 characters').optional(),
      'Secret that encrypts the audio of waiting jobs; the same on all servers that share a database. With SQLite, the server creates one in the data folder.',
      { secret: true },
    ),
    jobsMaxFileMb: setting('FAIRCOPY_JOBS_MAX_FILE_MB', wholeNumber(500, 1, 100_000), 'Largest file of a job in MB.'),
    jobsMaxDurationSeconds: setting(
      'FAIRCOPY_JOBS_MAX_DURATION_SECONDS',
      wholeNumber(4 * 60 * 60, 1, 24 * 60 * 60),
      'Longest audio of a job in seconds.',
    ),
    jobsMaxTotalMb: setting(
      'FAIRCOPY_JOBS_MAX_TOTAL_MB',
      wholeNumber(16_384, 1, 1_000_000_000),
      'Audio of all waiting jobs in MB; one account may have a quarter of it.',
    ),
    jobsConcurrency: setting(
      'FAIRCOPY_JOBS_CONCURRENCY',
      wholeNumber(2, 1, 64),
      'Jobs this server runs at the same time.',
    ),
    jobsKeepHours: setting(
      'FAIRCOPY_JOBS_KEEP_HOURS',
      wholeNumber(72, 1, 24 * 365),
      'Hours after which an ended job is deleted with its result, and a waiting one fails.',
    ),
  },
  fixed: {
    /** Jobs of one account that may wait or run at the same time. */
    jobsMaxWaiting: 1_000,
  },
  dropped: {
    FAIRCOPY_JOBS_MAX_WAITING: 'an account may have 1000 jobs waiting',
    FAIRCOPY_JOBS_MAX_ACCOUNT_MB: 'it is a quarter of FAIRCOPY_JOBS_MAX_TOTAL_MB',
    FAIRCOPY_JOBS_UPLOAD_TIMEOUT_MS: 'it is five times FAIRCOPY_UPLOAD_TIMEOUT_MS',
  },
});
