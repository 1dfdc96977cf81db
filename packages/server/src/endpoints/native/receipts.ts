// Signed receipts for callers, and the keys by which anyone can check them.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import { keyInHeader, requireKey } from '../../calls/presented-key.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { issueReceipt, type ReceiptPorts } from '../../usage/receipts/receipt.ts';

const HOW_TO_SEND_THE_KEY = 'Send it as "Authorization: Token <API_KEY>".';
/** Of a JSON Web Signature in compact form (RFC 7515). */
export const RECEIPT_TYPE = 'application/jose';

export interface ReceiptRouteParts extends ReceiptPorts {
  readonly calls: Calls;
}

export const addReceipts = (app: FastifyInstance, { calls, ...ports }: ReceiptRouteParts): void => {
  app.get(PATHS.jwks, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('application/jwk-set+json')
      .send(JSON.stringify(await orUnavailable(ports.signer.published()))),
  );

  app.get<{ Params: { requestId: string } }>(`${PATHS.receipts}/:requestId`, async (request, reply) => {
    const { accountId } = await calls.authenticate(keyOf(request));
    const { requestId } = request.params;
    const receipt = await orUnavailable(issueReceipt(ports, { accountId, requestId }));
    return reply.header('cache-control', 'no-store').type(RECEIPT_TYPE).send(receipt);
  });
};

const keyOf = ({ headers }: FastifyRequest): string =>
  requireKey(keyInHeader(headers.authorization), HOW_TO_SEND_THE_KEY);
