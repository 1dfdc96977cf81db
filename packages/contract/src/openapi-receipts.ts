// Receipts in the OpenAPI document.
import { type Json, schemaReference as refTo } from './json-schemas.ts';
import { PATHS } from './wire.ts';
import './receipt.ts';

export const RECEIPT_SCHEMAS = ['Receipt', 'PublicKeySet'] as const;

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const failure = (description: string): Json => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: refTo('ErrorResponse') } } },
});

export const receiptPaths: Json = {
  [`${PATHS.receipts}/{request_id}`]: {
    get: {
      operationId: 'getReceipt',
      summary: 'The signed receipt of a request',
      description:
        'An extension. A JSON Web Signature in compact form (RFC 7515, EdDSA with Ed25519, `typ` `faircopy-receipt`) over ' +
        'a `Receipt`. It can be had as soon as the request is answered.',
      parameters: [{ name: 'request_id', in: 'path', required: true, schema: { $ref: refTo('RequestId') } }],
      responses: {
        '200': {
          description: 'The receipt.',
          headers,
          content: {
            'application/jose': { schema: { type: 'string', contentSchema: { $ref: refTo('Receipt') } } },
          },
        },
        '401': failure('The key is missing or not valid.'),
        '404': failure('The account has no request with this id.'),
        '503': failure('The service cannot serve this request now.'),
      },
    },
  },
  [PATHS.jwks]: {
    get: {
      operationId: 'getPublicKeys',
      summary: 'The keys that sign receipts and webhooks',
      description: 'Every key there ever was, the newest first. A signature names its key by `kid`.',
      security: [],
      responses: {
        '200': {
          description: 'A JSON Web Key Set (RFC 7517).',
          headers,
          content: { 'application/jwk-set+json': { schema: { $ref: refTo('PublicKeySet') } } },
        },
      },
    },
  },
};
