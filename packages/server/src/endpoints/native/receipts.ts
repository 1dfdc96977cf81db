// Signed receipts, and the public keys that verify them.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { apiKeyOf } from '../../transport/http/api-key.ts';
import { issueReceipt, type ReceiptPorts } from '../../usage/receipts/receipt.ts';

/** A JSON Web Signature in compact form (RFC 7515). */
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
    const { accountId } = await calls.authenticate(apiKeyOf(request.headers), {
      scope: 'usage',
      address: request.clientAddress,
    });
    const { requestId } = request.params;
    const receipt = await orUnavailable(issueReceipt(ports, { accountId, requestId }));
    return reply.header('cache-control', 'no-store').type(RECEIPT_TYPE).send(receipt);
  });
};
