// Jobs in a database without a server, for tests of what lists and cancels them.
import { ulid } from 'ulid';
import { DEFAULT_LIMITS } from '../../accounts/testing/limits.ts';
import type { Storage } from '../../storage/open.ts';
import { JobIntake } from '../job-intake.ts';

const HOUR_MS = 3_600_000;

/** A job that waits; its id. */
export const submitJob = async (
  storage: Storage,
  accountId: string,
  { holderId = 'test', webhookUrl = null as string | null, secret = 'a secret for tests' } = {},
): Promise<string> => {
  const limits = { openPerAccountMax: 1_000, accountBytesMax: 1e9, bytesMax: 1e9, keepMs: HOUR_MS };
  const intake = new JobIntake({ storage, holderId, secret, limits });
  const principal = {
    ...{ accountId, accountName: accountId, keyId: 'k', vocabulary: [], refinement: null, budget: null },
    limits: DEFAULT_LIMITS,
  };
  const incoming = await intake.open({ id: ulid(), principal, apiKey: 'fc_key' });
  await incoming.write(Buffer.from('audio'));
  const transcription = { model: 'svc-1.0-lite', languageHint: undefined, wantWordTimes: false } as const;
  const request = { transcription, include: [], webhookUrl };
  return (await incoming.accept({ model: 'svc-1.0-lite', request, retry: null })).job.id;
};
