// Usage in the console: totals, pages of records, and all records as CSV.
import { Readable } from 'node:stream';
import {
  isModelId,
  PLAYGROUND_KEYS,
  type UsagePage,
  type UsageSummary,
  usageQuery,
  usageStatus,
} from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listKeys } from '../../accounts/keys/keys.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import { CSV_HEADER, csvLine } from '../../usage/reports/csv.ts';
import { daysOf, moment } from '../../usage/reports/query-times.ts';
import { eachUsage, listUsage, type UsageQuery } from '../../usage/reports/records.ts';
import { addSums, type PricedSum, priceUsage, type SumsQuery } from '../../usage/reports/sums.ts';
import { parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

const PAGE_RECORDS = 50;

const queryOf = (accountId: string, request: FastifyRequest): UsageQuery => {
  const { since, until, key_id: keyId, ...rest } = parsed(usageQuery, request.query);
  return { accountId, keyId, ...rest, sinceMs: moment('since', since), untilMs: moment('until', until) };
};

const tally = (sum: PricedSum) => ({
  requests: sum.requests,
  errors: sum.errors,
  audio_seconds: sum.audioSeconds,
  failed_audio_seconds: sum.failedAudioSeconds,
  billed_seconds: sum.billedSeconds,
  cost: sum.cost,
});

export const registerUsageRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage, prices = null } = ports;
  const sums = (query: SumsQuery) => priceUsage(storage, query, prices);
  const base = '/console/api/accounts/:accountId/usage';

  app.get(`${base}/summary`, async (request): Promise<UsageSummary> => {
    const { account } = await visit(ports, request);
    const { sinceMs, untilMs, ...filter } = queryOf(account.id, request);
    const days = { ...filter, ...daysOf(sinceMs, untilMs) };
    const [total, byDay, byModel, byKey, byStatus, keys] = await Promise.all([
      sums({ ...days, by: [] }),
      sums({ ...days, by: ['day'] }),
      sums({ ...days, by: ['model'] }),
      sums({ ...days, by: ['key'] }),
      sums({ ...days, by: ['status'] }),
      listKeys(storage.read, account.id),
    ]);
    const keyNames = new Map(keys.map((key) => [key.id, key.name]));
    const playgroundIds = new Set(keys.flatMap((key) => (key.createdBy === PLAYGROUND_CREATOR ? key.id : [])));
    const ofPlayground = byKey.filter((sum) => playgroundIds.has(sum.group.key ?? ''));
    return {
      total: tally(addSums(total)),
      days: byDay.map((sum) => ({ day: sum.group.day ?? '', ...tally(sum) })),
      models: byModel.map((sum) => ({ model: isModelId(sum.group.model) ? sum.group.model : null, ...tally(sum) })),
      // The playground uses a new key every hour; the console shows them as one.
      keys: [
        ...byKey
          .filter((sum) => !ofPlayground.includes(sum))
          .map((sum) => ({
            key_id: sum.group.key ?? null,
            key_name: keyNames.get(sum.group.key ?? '') ?? null,
            ...tally(sum),
          })),
        ...(ofPlayground.length === 0
          ? []
          : [{ key_id: PLAYGROUND_KEYS, key_name: 'Playground', ...tally(addSums(ofPlayground)) }]),
      ],
      statuses: byStatus.map((sum) => ({ status: usageStatus.parse(sum.group.status), requests: sum.requests })),
    };
  });

  app.get<{ Querystring: { cursor?: string } }>(`${base}/records`, async (request): Promise<UsagePage> => {
    const { account } = await visit(ports, request);
    const query = queryOf(account.id, request);
    const { records, next } = await listUsage(storage, query, { limit: PAGE_RECORDS, after: request.query.cursor });
    return { records, next_cursor: next };
  });

  app.get(`${base}/records.csv`, async (request, reply) => {
    const { account } = await visit(ports, request);
    const query = queryOf(account.id, request);
    const lines = async function* () {
      yield CSV_HEADER;
      for await (const record of eachUsage(storage, query)) yield csvLine(record);
    };
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="faircopy-usage.csv"')
      .send(Readable.from(lines()));
  });
};
