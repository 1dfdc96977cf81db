// A row of the usage ledger, as the command line and the console show it.
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../error-table.ts';
import { modelId } from '../models.ts';
import { isoTime, requestId } from '../values/ids.ts';

export const usageStatus = z.enum(['success', ...ERROR_CODES] as ['success', ...ErrorCode[]]);
export type UsageStatus = z.infer<typeof usageStatus>;

export const usageRecord = z
  .object({
    request_id: requestId,
    mode: z.enum(['file', 'stream']),
    model: modelId.nullable().meta({ description: 'Null when the request failed before it named a model.' }),
    status: usageStatus,
    audio_seconds: z.number(),
    billed_audio_seconds: z.number(),
    output_token_count: z.number().int(),
    detected_language: z.string().nullable(),
    key_id: z.string().nullable(),
    key_name: z.string().nullable(),
    receive_ms: z.number().nullable(),
    recognition_ms: z.number().nullable(),
    refinement_ms: z.number().nullable(),
    refinement_fallback: z.string().nullable().meta({ description: 'Why rule-based text was returned, if it was.' }),
    queue_ms: z
      .number()
      .nullable()
      .meta({ description: 'The longest time that a window of the request waited for a recogniser.' }),
    error_message: z.string().nullable().meta({ description: 'The error message that the caller received.' }),
    effort: z
      .literal('reduced')
      .nullable()
      .meta({ description: 'reduced: later windows were recognised with fewer models, to answer in time.' }),
    tags: z.array(z.string()).meta({ description: 'Tags of the request and of its key.' }),
    created_at: isoTime,
  })
  .meta({ id: 'UsageRecord' });
export type UsageRecord = z.infer<typeof usageRecord>;
