// Converts a usage entry to a ledger row with whole units, so that sums are exact.
import type { UsageRow } from '../../storage/schema/usage.ts';
import type { UsageEntry } from '../meter.ts';

const TEXT_CHARACTERS_MAX = 200;

/** Throws on an invalid amount, which is a bug, before it can fail the whole batch. */
export const toRow = (entry: UsageEntry): UsageRow => ({
  request_id: entry.requestId,
  account_id: entry.accountId,
  key_id: entry.keyId,
  mode: entry.mode,
  model: entry.model,
  status: entry.status,
  audio_us: whole('audioSeconds', entry.audioSeconds * 1e6),
  billed_ms: whole('billedSeconds', entry.billedSeconds * 1e3),
  output_token_count: whole('outputTokenCount', entry.outputTokenCount),
  detected_language: bounded(entry.detectedLanguage),
  receive_ms: stageMs('receiveMs', entry.receiveMs),
  recognition_ms: stageMs('recognitionMs', entry.recognitionMs),
  refinement_ms: stageMs('refinementMs', entry.refinementMs),
  refinement_fallback: bounded(entry.refinementFallback),
  queue_ms: stageMs('queueMs', entry.queueMs ?? null),
  error_message: bounded(entry.errorMessage ?? null),
  effort: entry.effort ?? null,
  tags: entry.tags && entry.tags.length > 0 ? JSON.stringify(entry.tags) : null,
  created_at_ms: whole('createdAtMs', entry.createdAtMs),
});

const whole = (name: string, value: number): number => {
  const rounded = Math.round(value);
  if (!Number.isSafeInteger(rounded) || rounded < 0)
    throw new RangeError(`${name} of a usage entry is not a valid amount`);
  return rounded;
};

/** Rounded to tenths of a millisecond. */
const stageMs = (name: string, value: number | null): number | null =>
  value === null ? null : whole(name, value * 10) / 10;

const bounded = (text: string | null): string | null =>
  text === null ? null : text.slice(0, TEXT_CHARACTERS_MAX).replace(/[\0\p{Surrogate}]/gu, '');
