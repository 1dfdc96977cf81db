// The rules of an API key, which apply in addition to the limits of its account. An extension of the contract.
import { z } from 'zod';
import { modelId } from './models.ts';
import { REDACTION_NAMES, refineLevel } from './refinement.ts';
import { requestTags } from './usage/tags.ts';

/** transcribe: files. stream: live audio. usage: the account's usage and receipts. voices: enrolled voices. */
export const KEY_SCOPES = ['transcribe', 'stream', 'jobs', 'usage', 'voices'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

const KEY_ADDRESSES_MAX = 50;
const NONE = 'must name at least one';

/** Null means no limit. The server validates addresses and languages. */
export const keyRules = z
  .strictObject({
    scopes: z
      .array(z.enum(KEY_SCOPES, `must be one of ${KEY_SCOPES.join(', ')}`))
      .min(1, NONE)
      .nullable()
      .default(null),
    models: z.array(modelId).min(1, NONE).nullable().default(null),
    languages: z.array(z.string().max(20)).min(1).max(100).nullable().default(null),
    /** Addresses and ranges such as 10.0.0.0/8. */
    addresses: z.array(z.string().max(49)).min(1).max(KEY_ADDRESSES_MAX).nullable().default(null),
    /** Replaces the level of the request and of the account. */
    refinement: refineLevel.nullable().default(null),
    /** Applied to every answer, in addition to the redactions of the account. */
    redact: z
      .array(z.enum(REDACTION_NAMES, `must be one of ${REDACTION_NAMES.join(', ')}`))
      .min(1, NONE)
      .nullable()
      .default(null),
    /** Added to every request with this key. */
    tags: requestTags.default([]),
  })
  .meta({ id: 'KeyRules' });
export type KeyRules = z.infer<typeof keyRules>;

export const NO_KEY_RULES: KeyRules = keyRules.parse({});
