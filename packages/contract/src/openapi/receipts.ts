// Receipts in the OpenAPI document.
import { PATHS } from '../wire.ts';
import type { Json } from './json-schemas.ts';
import { failures, ref, response } from './responses.ts';
import '../usage/receipt.ts';

export const RECEIPT_SCHEMAS = ['Receipt', 'PublicKeySet'] as const;

export const receiptPaths: Json = {
  [`${PATHS.receipts}/{request_id}`]: {
    get: {
      operationId: 'getReceipt',
      summary: 'Get the signed receipt of a request',
      description:
        'An extension. A JSON Web Signature in compact form (RFC 7515, EdDSA with Ed25519, `typ` `faircopy-receipt`) over ' +
        'a `Receipt`. Available as soon as the request is answered.',
      parameters: [{ name: 'request_id', in: 'path', required: true, schema: ref('RequestId') }],
      responses: {
        '200': response('The receipt.', {
          'application/jose': { schema: { type: 'string', contentSchema: ref('Receipt') } },
        }),
        ...failures('UNAUTHORIZED', [404, 'The account has no request with this id.'], 'SERVICE_UNAVAILABLE'),
      },
    },
  },
  [PATHS.jwks]: {
    get: {
      operationId: 'getPublicKeys',
      summary: 'Get the public keys for receipts and webhooks',
      description: 'All keys ever used, newest first. A signature names its key by `kid`.',
      security: [],
      responses: {
        '200': response('A JSON Web Key Set (RFC 7517).', {
          'application/jwk-set+json': { schema: ref('PublicKeySet') },
        }),
      },
    },
  },
};
