// Building blocks shared by the parts of the OpenAPI document.
import { ERRORS, type SentErrorCode } from '../error-table.ts';
import { type Json, schemaReference } from './json-schemas.ts';

export const ref = (schema: string): Json => ({ $ref: schemaReference(schema) });
export const jsonContent = (schema: string): Json => ({ 'application/json': { schema: ref(schema) } });
export const requestIdHeader: Json = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

export const response = (description: string, content: Json): Json => ({
  description,
  headers: requestIdHeader,
  content,
});

/** A code of the error table, or a status with its own description. */
type Failure = SentErrorCode | readonly [status: number, description: string];

/** Answers with one error schema, by status. */
export const failuresWith =
  (schema: string) =>
  (...failures: readonly Failure[]): Json =>
    Object.fromEntries(
      failures
        .map((failure) =>
          typeof failure === 'string' ? ([ERRORS[failure].httpStatus, ERRORS[failure].sentence] as const) : failure,
        )
        .map(([status, description]) => [String(status), response(description, jsonContent(schema))]),
    );

export const failures = failuresWith('ErrorResponse');

export const multipart = (schema: Json): Json => ({ required: true, content: { 'multipart/form-data': { schema } } });

/** The header that makes a retry get the same answer. */
export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  description:
    'An extension. A retry with the same key and body within 24 hours gets the same answer and is billed once; a ' +
    'different body is refused with 422.',
};
