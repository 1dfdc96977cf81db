// Usage records as CSV (RFC 4180).
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
  'queue_ms',
  'error_message',
  'effort',
  'tags',
] as const satisfies readonly (keyof UsageRecord)[];

export const CSV_HEADER = `${CSV_COLUMNS.join(',')}\r\n`;

export const csvLine = (record: UsageRecord): string =>
  csvRow(CSV_COLUMNS.map((column) => (column === 'tags' ? record.tags.join(',') : record[column])));

export const csvRow = (values: readonly (string | number | null)[]): string => `${values.map(csvField).join(',')}\r\n`;

/**
 * Spreadsheets run text that starts like a formula; a leading apostrophe prevents that. Some locales split cells at
 * other characters, even inside quotes, so text after one of those counts as a start too.
 */
const FORMULA = /((?:^|[,;|\t\r\n])[\s'"]*?)([=+\-@＝＋－＠\t\r])/g;

const csvField = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = value.replace(FORMULA, "$1'$2");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
