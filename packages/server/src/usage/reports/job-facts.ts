// Facts about jobs from the ledger and the API keys: length, billed seconds and sender.
import type { Storage } from '../../storage/open.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';

export interface JobFacts {
  /** Null until the job has ended. */
  readonly audioSeconds: number | null;
  readonly billedSeconds: number | null;
  readonly keyName: string | null;
  /** Who sent it from the console; null if an API key did. */
  readonly consolePersonId: string | null;
}

/** By job id, which is also the request id of the job's usage row. */
export const jobFacts = async (storage: Storage, ids: readonly string[]): Promise<Map<string, JobFacts>> => {
  if (ids.length === 0) return new Map();
  const rows = await storage.report
    .selectFrom('jobs')
    .leftJoin('usage_records', 'usage_records.request_id', 'jobs.id')
    .leftJoin('api_keys', 'api_keys.id', 'jobs.key_id')
    .select([
      'jobs.id',
      'usage_records.audio_us',
      'usage_records.billed_ms',
      'api_keys.name as key_name',
      'api_keys.created_by',
      'api_keys.person_id',
    ])
    .where('jobs.id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        audioSeconds: row.audio_us === null ? null : row.audio_us / 1e6,
        billedSeconds: row.billed_ms === null ? null : row.billed_ms / 1e3,
        keyName: row.key_name,
        consolePersonId: row.created_by === PLAYGROUND_CREATOR ? row.person_id : null,
      },
    ]),
  );
};
