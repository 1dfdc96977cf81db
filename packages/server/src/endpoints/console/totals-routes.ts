// Usage totals by day or month, account and key, as JSON and CSV.
import { usageTotalsQuery } from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { daysOf, moment } from '../../usage/reports/query-times.ts';
import { type TotalsQuery, totalsCsv, usageTotals } from '../../usage/reports/totals.ts';
import { administrator, parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

export const registerTotalsRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const ofAccount = async (request: FastifyRequest) => ({ accountId: (await visit(ports, request)).account.id });
  const ofAll = async (request: FastifyRequest) => {
    await administrator(ports, request);
    return {};
  };
  const queryOf = (request: FastifyRequest): TotalsQuery => {
    const { period, since, until, tag } = parsed(usageTotalsQuery, request.query);
    return { period, tag, ...daysOf(moment('since', since), moment('until', until)) };
  };
  for (const [base, whose] of [
    ['/console/api/accounts/:accountId/usage/totals', ofAccount],
    ['/console/api/admin/usage/totals', ofAll],
  ] as const) {
    app.get(base, async (request) => {
      const query = { ...(await whose(request)), ...queryOf(request) };
      return usageTotals(ports.storage, query, ports.prices);
    });
    app.get(`${base}.csv`, async (request, reply) => {
      const query = { ...(await whose(request)), ...queryOf(request) };
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="faircopy-totals-by-${query.period}.csv"`)
        .send(totalsCsv(await usageTotals(ports.storage, query, ports.prices)));
    });
  }
};
