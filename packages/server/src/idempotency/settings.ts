// Settings of answers that are kept for retries.
import { z } from 'zod';
import { declareSettings, setting } from '../config/setting.ts';

const MB = 1024 * 1024;

export const idempotencySettings = declareSettings({
  topic: 'What is kept',
  settings: {
    idempotencyStore: setting(
      'FAIRCOPY_IDEMPOTENCY_STORE',
      z.enum(['memory', 'database'], 'must be memory or database').default('memory'),
      "Where answers are kept for a day for retries: in memory only, or also in the database, encrypted with a key derived from the caller's API key.",
    ),
  },
  fixed: {
    idempotencyMemoryBytes: 64 * MB,
    idempotencyDatabaseBytes: 1024 * MB,
  },
  dropped: {
    FAIRCOPY_IDEMPOTENCY_MEMORY_MB: 'answers take up to 64 MB of memory',
    FAIRCOPY_IDEMPOTENCY_DATABASE_MB: 'answers take up to 1 GB of the database',
  },
});
