// What the test and the process it kills agree on: the plan of a run, and the ledger row of each request by its id.
import type { StorageOptions } from '../../src/storage/open.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';

export interface RunPlan {
  readonly database: StorageOptions;
  readonly key: string;
  /** Requests that the killed run before left unanswered. */
  readonly retries: readonly string[];
  /**
   * How the run ends: killed by the parent at any moment; killed by itself in the narrow gap between a durable row and
   * its answer; or a normal exit once the retries are answered.
   */
  readonly end: 'killed at any moment' | 'killed between row and answer' | 'normal exit';
}

/** More than the requests in flight at once, retries included. */
export const STREAMS = 24;

export const plannedEntry = (requestId: string, accountId: string, keyId: string): UsageEntry => {
  const dice = [...requestId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  const failed = dice % 5 === 0;
  return {
    requestId,
    accountId,
    keyId,
    mode: dice % 2 === 0 ? 'file' : 'stream',
    model: (['svc-1.0-lite', 'svc-1.0-pro', 'svc-1.0-max'] as const)[dice % 3]!,
    status: failed ? 'AUDIO_FORMAT_UNSUPPORTED' : 'success',
    audioSeconds: dice / 7,
    billedSeconds: failed ? 0 : Math.max(15, Math.ceil(dice / 7)),
    outputTokenCount: dice,
    detectedLanguage: 'en',
    receiveMs: 1,
    recognitionMs: 2,
    refinementMs: 3,
    refinementFallback: null,
    createdAtMs: Date.UTC(2026, 10, 1 + (dice % 20)),
  };
};
