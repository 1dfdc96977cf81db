// The meter port: records one durable usage row per request before a success is sent.
import type { ErrorCode, ModelId } from '@faircopy/contract';

export interface UsageEntry {
  /** Makes a repeated write idempotent. */
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
  /** The longest time that one of its windows waited for a recogniser. */
  readonly queueMs?: number | null;
  /** The error message that the caller received. */
  readonly errorMessage?: string | null;
  /** Whether later windows got fewer readings, so that the answer came in time. */
  readonly effort?: 'reduced' | null;
  /** Tags of the request and of its key: sorted, each once. */
  readonly tags?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** No result has been sent yet, so the request can still be refused for a used-up budget. */
  readonly isRefusable?: boolean;
}

export interface Meter {
  /**
   * Resolves when the row is durable. Rejects with SERVICE_UNAVAILABLE if it could not be written, and with
   * BUDGET_EXCEEDED if it was recorded as a refusal.
   */
  record(entry: UsageEntry): Promise<void>;
}
