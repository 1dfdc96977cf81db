// GET /v1/usage: the account's own rows and totals. An extension of the contract.
import { z } from 'zod';
import { modelId } from '../models.ts';
import { isoTime, requestId } from '../values/ids.ts';
import { TAG_CHARACTERS_MAX } from './tags.ts';
import { usageRecord, usageStatus } from './usage-record.ts';

export const USAGE_GROUPINGS = ['day', 'month', 'model', 'key', 'mode', 'status'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

const STATUS_FILTERS = [...usageStatus.options, 'errors'] as const;

export const USAGE_PAGE = { default: 50, max: 1000 } as const;

export const usageRequest = z.strictObject({
  since: isoTime.optional(),
  until: isoTime.optional(),
  model: modelId.optional(),
  key_id: z.string().max(64).optional(),
  status: z.enum(STATUS_FILTERS, `must be one of ${STATUS_FILTERS.join(', ')}`).optional(),
  mode: z.enum(['file', 'stream']).optional(),
  tag: z.string().max(TAG_CHARACTERS_MAX).optional(),
  by: z.enum(USAGE_GROUPINGS, `must be one of ${USAGE_GROUPINGS.join(', ')}`).optional(),
  limit: z.coerce.number().int().min(0).max(USAGE_PAGE.max).default(USAGE_PAGE.default),
  cursor: z.string().max(64).optional(),
});

export const usageAmounts = z
  .object({
    requests: z.number().int(),
    errors: z.number().int(),
    audio_seconds: z.number(),
    billed_audio_seconds: z.number(),
    output_token_count: z.number().int(),
  })
  .meta({ id: 'UsageAmounts' });

export const usageResponse = z
  .object({
    status: z.literal('success'),
    total: usageAmounts,
    groups: z
      .array(usageAmounts.extend({ group: z.string().nullable() }))
      .meta({ description: 'Totals by the grouping that `by` names; empty without it.' }),
    records: z.array(usageRecord),
    next_cursor: z.string().nullable(),
    request_id: requestId,
  })
  .meta({ id: 'UsageResponse' });
export type UsageResponse = z.infer<typeof usageResponse>;
