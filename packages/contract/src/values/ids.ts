// Identifiers and times in answers.
import { z } from 'zod';

/** 26 characters of Crockford base 32, sortable by creation time. */
export const requestId = z
  .string()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  .meta({ id: 'RequestId', description: 'A 26-character ULID; quote it when you ask for support.' });

export const isoTime = z.string().meta({ description: 'ISO 8601, UTC.' });
