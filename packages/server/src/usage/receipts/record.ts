// Converts a row's hashed values to a receipt record and back, without loss, because hashes depend on it.
import type { ReceiptRecord } from '@faircopy/contract';
import type { HashedValues } from '../../storage/usage-hash.ts';

type Values = [
  requestId: string,
  keyId: string | null,
  mode: string,
  model: string | null,
  status: string,
  audioUs: number,
  billedMs: number,
  outputTokenCount: number,
  detectedLanguage: string | null,
  receiveMs: number | null,
  recognitionMs: number | null,
  refinementMs: number | null,
  refinementFallback: string | null,
  createdAtMs: number,
];

export const recordOf = (values: HashedValues): ReceiptRecord => {
  const [request_id, key_id, mode, model, status, audioUs, billedMs, output_token_count, ...rest] =
    values as unknown as Values;
  const [detected_language, receive_ms, recognition_ms, refinement_ms, refinement_fallback, createdAtMs] = rest;
  return {
    request_id,
    key_id,
    mode,
    model,
    status,
    audio_seconds: audioUs / 1e6,
    billed_audio_seconds: billedMs / 1e3,
    output_token_count,
    detected_language,
    receive_ms,
    recognition_ms,
    refinement_ms,
    refinement_fallback,
    created_at: new Date(createdAtMs).toISOString(),
  };
};

export const valuesOf = (record: ReceiptRecord): HashedValues =>
  [
    record.request_id,
    record.key_id,
    record.mode,
    record.model,
    record.status,
    Math.round(record.audio_seconds * 1e6),
    Math.round(record.billed_audio_seconds * 1e3),
    record.output_token_count,
    record.detected_language,
    record.receive_ms,
    record.recognition_ms,
    record.refinement_ms,
    record.refinement_fallback,
    Date.parse(record.created_at),
  ] satisfies Values;
