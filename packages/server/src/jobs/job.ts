// A job: a file that is transcribed in the background, and whose result is fetched or sent to a webhook.
import type { Include, JobState } from '@faircopy/contract';
import type { TranscriptionOptions } from '../calls/call.ts';
import type { SplitChannels } from '../calls/speakers/split-channels.ts';
import { unseal } from '../lib/sealed.ts';
import type { JobsTable } from '../storage/schema/jobs.ts';

type WebhookState = 'waiting' | 'due' | 'delivered' | 'failed';

/** A job without its audio and transcript. */
export interface JobListing {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly state: JobState;
  readonly model: string;
  readonly audioBytes: number;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly webhook: {
    readonly state: WebhookState;
    readonly attempts: number;
    readonly fault: string | null;
  } | null;
}

/** The request of a job; stored encrypted. */
export interface JobRequest {
  readonly transcription: TranscriptionOptions;
  readonly include: readonly Include[];
  readonly split?: SplitChannels | undefined;
  readonly webhookUrl: string | null;
}

/** Without `receiving`: an upload becomes a job when it is complete. */
export const ACCEPTED_STATES = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const OPEN_STATES = ['receiving', 'waiting', 'running'] as const;

export const LISTED_COLUMNS = [
  'id',
  'account_id',
  'key_id',
  'state',
  'model',
  'audio_bytes',
  'attempts',
  'created_at_ms',
  'started_at_ms',
  'ended_at_ms',
  'expires_at_ms',
  'error_code',
  'error_message',
  'webhook_state',
  'webhook_attempts',
  'webhook_fault',
] as const;

export const listingOf = (row: Pick<JobsTable, (typeof LISTED_COLUMNS)[number]>): JobListing => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  state: row.state as JobState,
  model: row.model,
  audioBytes: row.audio_bytes,
  attempts: row.attempts,
  createdAtMs: row.created_at_ms,
  startedAtMs: row.started_at_ms,
  endedAtMs: row.ended_at_ms,
  expiresAtMs: row.expires_at_ms,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  webhook:
    row.webhook_state === null
      ? null
      : {
          state: row.webhook_state as WebhookState,
          attempts: row.webhook_attempts,
          fault: row.webhook_fault,
        },
});

/** Throws if the request was encrypted with another server secret. */
export const readRequest = (
  secret: string,
  { id, sealedRequest }: { readonly id: string; readonly sealedRequest: Uint8Array },
): JobRequest => JSON.parse(unseal(secret, PURPOSES.request(id), sealedRequest).toString('utf8'));

/** Encryption purposes: encrypted data of one kind cannot be used as another. */
export const PURPOSES = {
  request: (id: string) => `job request ${id}`,
  audio: (id: string, part: number) => `job audio ${id} ${part}`,
  result: (id: string) => `job result ${id}`,
  webhook: (id: string) => `job webhook ${id}`,
} as const;
