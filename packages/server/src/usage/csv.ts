// Usage records as CSV (RFC 4180), one record at a time.
import type { UsageRecord } from '@faircopy/contract';

export const CSV_COLUMNS = [
  'request_id',
  'created_at',
  'mode',
  'model',
  'status',
  'audio_seconds',
  'billed_audio_seconds',
  'output_token_count',
  'detected_language',
  'key_id',
  'key_name',
  'receive_ms',
  'recognition_ms',
  'refinement_ms',
  'refinement_fallback',
] as const satisfies readonly (keyof UsageRecord)[];

export const CSV_HEADER = `${CSV_COLUMNS.join(',')}\r\n`;

export const csvLine = (record: UsageRecord): string =>
  `${CSV_COLUMNS.map((column) => csvField(record[column])).join(',')}\r\n`;

const csvField = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // A name that begins like a formula would be run by a spreadsheet; the quote mark makes it text.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
