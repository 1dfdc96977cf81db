// Identifiers that appear in answers.
import { z } from 'zod';

/** 26 characters of Crockford base 32: sortable by time of creation. */
export const requestId = z
  .string()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  .meta({ id: 'RequestId', description: 'A 26-character ULID; quote it when you ask for support.' });
