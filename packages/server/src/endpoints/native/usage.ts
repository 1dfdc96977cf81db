// GET /v1/usage: rows and totals of the caller's account.
import { PATHS, type UsageResponse, usageRequest } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import { invalidRequest } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { apiKeyOf } from '../../transport/http/api-key.ts';
import { daysOf, moment } from '../../usage/reports/query-times.ts';
import { listUsage } from '../../usage/reports/records.ts';
import { sumUsage, type UsageSum } from '../../usage/reports/sums.ts';

export interface UsageRouteParts {
  readonly calls: Calls;
  readonly storage: Storage;
}

const amountsOf = (sum: UsageSum | undefined) => ({
  requests: sum?.requests ?? 0,
  errors: sum?.errors ?? 0,
  audio_seconds: sum?.audioSeconds ?? 0,
  billed_audio_seconds: sum?.billedSeconds ?? 0,
  output_token_count: sum?.outputTokenCount ?? 0,
});

const readQuery = (query: unknown) => {
  const read = usageRequest.safeParse(query);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]?.toString();
  const reason = issue?.code === 'unrecognized_keys' ? 'is not known here' : `is not valid: ${issue?.message}`;
  throw invalidRequest(`The parameter "${name}" ${reason}.`, name);
};

export const addUsage = (app: FastifyInstance, { calls, storage }: UsageRouteParts): void => {
  app.get(PATHS.usage, async (request, reply): Promise<UsageResponse> => {
    const use = { scope: 'usage', address: request.clientAddress } as const;
    const { accountId } = await calls.authenticate(apiKeyOf(request.headers), use);
    const { since, until, key_id: keyId, by, limit, cursor, ...rest } = readQuery(request.query);
    const filter = { accountId, keyId, ...rest };
    const sinceMs = moment('since', since);
    const untilMs = moment('until', until);
    const days = { ...filter, ...daysOf(sinceMs, untilMs) };
    const [[total], groups, page] = await orUnavailable(
      Promise.all([
        sumUsage(storage, { ...days, by: [] }),
        by === undefined ? [] : sumUsage(storage, { ...days, by: [by] }),
        limit === 0
          ? { records: [], next: null }
          : listUsage(storage, { ...filter, sinceMs, untilMs }, { limit, after: cursor }),
      ]),
    );
    reply.header('cache-control', 'no-store');
    return {
      status: 'success',
      total: amountsOf(total),
      groups: groups.map((sum) => ({ group: (by && sum.group[by]) ?? null, ...amountsOf(sum) })),
      records: page.records,
      next_cursor: page.next,
      request_id: request.id,
    };
  });
};
