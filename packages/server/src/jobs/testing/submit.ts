// Creates jobs in a database without a server, for tests.
import { ulid } from 'ulid';
import { testPrincipal } from '../../accounts/testing/principal.ts';
import type { Storage } from '../../storage/open.ts';
import { JobIntake } from '../job-intake.ts';

const HOUR_MS = 3_600_000;

/** Creates a waiting job and returns its id. */
export const submitJob = async (
  storage: Storage,
  accountId: string,
  { holderId = 'test', webhookUrl = null as string | null, secret = 'a secret for tests' } = {},
): Promise<string> => {
  const limits = { openPerAccountMax: 1_000, accountBytesMax: 1e9, bytesMax: 1e9, keepMs: HOUR_MS };
  const intake = new JobIntake({ storage, holderId, secret, limits });
  const incoming = await intake.open({ id: ulid(), principal: testPrincipal(accountId), apiKey: 'fc_key' });
  await incoming.write(Buffer.from('audio'));
  const transcription = { model: 'svc-1.0-lite', languageHint: undefined, wantWordTimes: false } as const;
  const request = { transcription, include: [], webhookUrl };
  return (await incoming.accept({ model: 'svc-1.0-lite', request, retry: null })).job.id;
};
