// The meter: one durable row per request, written before a success answer leaves.
import type { ErrorCode, ModelId } from '@faircopy/contract';

export interface UsageEntry {
  /** Also what makes a repeated write harmless. */
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly mode: 'file' | 'stream';
  readonly model: ModelId | null;
  readonly status: 'success' | ErrorCode;
  readonly audioSeconds: number;
  readonly billedSeconds: number;
  readonly outputTokenCount: number;
  readonly detectedLanguage: string | null;
  readonly receiveMs: number | null;
  readonly recognitionMs: number | null;
  readonly refinementMs: number | null;
  readonly refinementFallback: string | null;
  /** The longest that a window of it waited for a recogniser. */
  readonly queueMs?: number | null;
  /** What the caller was told when it failed. */
  readonly errorMessage?: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Nothing has left for the caller yet: it may be refused when a budget was used up before it. */
  readonly isRefusable?: boolean;
}

export interface Meter {
  /**
   * Resolves when the row is durable; rejects with SERVICE_UNAVAILABLE when that cannot be, and with BUDGET_EXCEEDED when
   * it is durable as a refusal.
   */
  record(entry: UsageEntry): Promise<void>;
}
