// The schema of error answers.
import { z } from 'zod';
import { SENT_ERROR_CODES, type SentErrorCode } from './error-table.ts';
import { requestId } from './values/ids.ts';

export const errorDetail = z
  .object({
    code: z
      .enum(SENT_ERROR_CODES as [SentErrorCode, ...SentErrorCode[]])
      .meta({ description: 'One of the error codes.' }),
    message: z.string().meta({ description: 'A message for people; its wording may change.' }),
    opens_at: z.iso
      .datetime()
      .optional()
      .meta({ description: 'With BUDGET_EXCEEDED: when requests are accepted again. ISO 8601, UTC.' }),
  })
  .meta({ id: 'ErrorDetail' });

export const errorResponse = z.object({ status: z.literal('error'), error: errorDetail, request_id: requestId }).meta({
  id: 'ErrorResponse',
  examples: [
    {
      status: 'error',
      error: { code: 'INVALID_REQUEST', message: 'The field "model" is missing.' },
      request_id: '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C',
    },
  ],
});
export type ErrorResponse = z.infer<typeof errorResponse>;
