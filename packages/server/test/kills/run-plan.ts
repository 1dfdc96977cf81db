// The plan of a run, shared by a test and the process that it kills, and the expected ledger row of each request.
import type { StorageOptions } from '../../src/storage/open.ts';
import type { UsageEntry } from '../../src/usage/meter.ts';

export interface RunPlan {
  readonly database: StorageOptions;
  readonly key: string;
  /** Unanswered requests of the previous run. */
  readonly retries: readonly string[];
  /**
   * How the run ends: killed by the parent at any moment, killed by itself between a durable row and its response, or a
   * normal exit after the retries are answered.
   */
  readonly end: 'killed at any moment' | 'killed between row and answer' | 'normal exit';
}

/** More than the concurrent requests, including retries. */
export const SLOTS_MAX = 24;

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
