// Receipts in the console: for one request, or all of an account as an export.
import { Readable } from 'node:stream';
import { usageQuery } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { exportLines } from '../../usage/receipts/export.ts';
import { issueReceipt } from '../../usage/receipts/receipt.ts';
import { receiptsOfTag } from '../../usage/receipts/receipts-of-tag.ts';
import { moment } from '../../usage/reports/query-times.ts';
import { RECEIPT_TYPE } from '../native/receipts.ts';
import { parsed, visit } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

const seq = z.coerce.number().int().min(1).optional();
const exportQuery = usageQuery.pick({ tag: true, since: true, until: true }).extend({ from_seq: seq, to_seq: seq });

export const registerReceiptRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const base = '/console/api/accounts/:accountId/receipts';

  app.get<{ Params: { requestId: string } }>(`${base}/:requestId`, async (request, reply) => {
    const { account } = await visit(ports, request);
    const { requestId } = request.params;
    const receipt = await issueReceipt(ports, { accountId: account.id, requestId });
    return reply
      .type(RECEIPT_TYPE)
      .header('content-disposition', `attachment; filename="faircopy-receipt-${requestId}.jws"`)
      .send(receipt);
  });

  app.get(base, async (request, reply) => {
    const { account } = await visit(ports, request);
    const { from_seq: fromSeq, to_seq: toSeq, tag, since, until } = parsed(exportQuery, request.query);
    if (tag !== undefined) {
      const times = { sinceMs: moment('since', since), untilMs: moment('until', until) };
      return reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', 'attachment; filename="faircopy-receipts-of-tag.jws"')
        .send(Readable.from(receiptsOfTag(ports, { accountId: account.id, tag, ...times })));
    }
    const lines = exportLines(ports, { accountId: account.id, fromSeq, toSeq });
    // An invalid query fails at the first line, while an error response can still be sent.
    const first = await lines.next();
    const all = async function* () {
      if (!first.done) yield first.value;
      yield* lines;
    };
    return reply
      .type('application/jsonl; charset=utf-8')
      .header('content-disposition', 'attachment; filename="faircopy-receipts.jsonl"')
      .send(Readable.from(all()));
  });
};
