// Usage in the OpenAPI document.
import { z } from 'zod';
import { usageRequest } from '../usage/usage-api.ts';
import { PATHS } from '../wire.ts';
import type { Json } from './json-schemas.ts';
import { failures, jsonContent, response } from './responses.ts';

export const USAGE_SCHEMAS = ['UsageResponse'] as const;

const { properties = {} } = z.toJSONSchema(usageRequest, { io: 'input' });

export const usagePaths: Json = {
  [PATHS.usage]: {
    get: {
      operationId: 'getUsage',
      summary: "Get rows and totals of the account's usage",
      description:
        'An extension. Totals count whole days in UTC, rows are exact. `by` adds totals by day, model and so on.',
      parameters: Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema })),
      responses: {
        '200': response('A page of rows, newest first, and totals.', jsonContent('UsageResponse')),
        ...failures([400, 'A parameter is invalid.'], 'UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'),
      },
    },
  },
};
