// A plausible usage entry for tests, with optional changes.
import { monotonicFactory } from 'ulid';
import type { UsageEntry } from '../meter.ts';

const nextUlid = monotonicFactory();

export const entry = (changes: Partial<UsageEntry> = {}): UsageEntry => ({
  requestId: nextUlid(),
  accountId: 'account-1',
  keyId: 'key-1',
  mode: 'file',
  model: 'svc-1.0-max',
  status: 'success',
  audioSeconds: 12.345,
  billedSeconds: 15,
  outputTokenCount: 40,
  detectedLanguage: 'en',
  receiveMs: 10,
  recognitionMs: 250.5,
  refinementMs: 3,
  refinementFallback: null,
  createdAtMs: Date.UTC(2026, 10, 15, 12),
  ...changes,
});
