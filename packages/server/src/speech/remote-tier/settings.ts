// The setting for tiers that another server recognises: JSON, or the path of a JSON file.
import { readFileSync } from 'node:fs';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { z } from 'zod';

const remoteTier = z.strictObject({
  /** The base address (…/v1) of an OpenAI-compatible server. */
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  key: z.string().min(1).optional(),
  model: z.string().min(1),
  /** ISO 639-1 codes of the languages that it supports. Default: all. */
  languages: z
    .array(z.string().regex(/^[a-z]{2}$/, 'must be codes such as en'))
    .min(1)
    .optional(),
  /** Whether it returns word times. */
  wordTimes: z.boolean().default(false),
  /** Maximum number of concurrent windows. */
  slots: z.number().int().min(1).max(1_024).default(4),
  timeoutMs: z.number().int().min(100).max(600_000).default(30_000),
  /** Whether this machine, or the workers, recognise the tier while the server fails. */
  fallback: z.boolean().default(false),
  /** Additional form fields that the server needs. */
  fields: z.record(z.string(), z.string()).default({}),
});
export type RemoteTierSettings = z.infer<typeof remoteTier>;
type RemoteTiers = Readonly<Partial<Record<ModelId, RemoteTierSettings>>>;

const remoteTiers = z.partialRecord(z.enum(MODEL_IDS), remoteTier);

const jsonOf = (value: string): unknown =>
  JSON.parse(value.trim().startsWith('{') ? value : readFileSync(value, 'utf8'));

export const remoteTiersSetting = z
  .string()
  .optional()
  .transform((value, context): RemoteTiers => {
    if (value === undefined) return {};
    try {
      const parsed = remoteTiers.safeParse(jsonOf(value));
      if (parsed.success) return parsed.data as RemoteTiers;
      for (const { path, message } of parsed.error.issues)
        context.addIssue({ code: 'custom', message: `${path.join('.')}: ${message}` });
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      context.addIssue({
        code: 'custom',
        message: code ? `the file cannot be read (${code})` : `is not JSON: ${message}`,
      });
    }
    return z.NEVER;
  });
