// Creates jobs in a database without a server, for tests.
import { ulid } from 'ulid';
import { testPrincipal } from '../../accounts/testing/principal.ts';
import type { Storage } from '../../storage/open.ts';
import { JobIntake } from '../job-intake.ts';

export const TEST_SECRET = 'a secret for tests';
export const HOUR_MS = 3_600_000;
export const AMPLE_LIMITS = { openPerAccountMax: 1_000, accountBytesMax: 1e9, bytesMax: 1e9, keepMs: HOUR_MS };

/** A caller with a new request id. */
export const testCaller = (accountId: string) => ({
  id: ulid(),
  principal: testPrincipal(accountId),
  apiKey: 'fc_key',
});

/** Creates a waiting job and returns its id. */
export const submitJob = async (
  storage: Storage,
  accountId: string,
  { webhookUrl = null as string | null, audio = [Buffer.from('audio')] } = {},
): Promise<string> => {
  const intake = new JobIntake({ storage, holderId: 'test', secret: TEST_SECRET, limits: AMPLE_LIMITS });
  const incoming = await intake.open(testCaller(accountId));
  for (const bytes of audio) await incoming.write(bytes);
  const transcription = { model: 'svc-1.0-lite', languageHint: undefined, wantWordTimes: false } as const;
  const request = { transcription, include: [], webhookUrl };
  return (await incoming.accept({ model: 'svc-1.0-lite', request, retry: null })).job.id;
};
