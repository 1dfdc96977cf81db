// The `include` extension: segments, words, raw text and edits of a transcript.
import { z } from 'zod';

export const INCLUDES = ['segments', 'words', 'raw', 'edits'] as const;
export type Include = (typeof INCLUDES)[number];

export const word = z
  .object({
    text: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: 'Word', description: 'One recognised word.' });

export const segment = z
  .object({
    text: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    language: z.string().nullable(),
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: 'Segment', description: 'The recognised text between two pauses.' });

export const edit = z
  .object({
    pass: z.string().meta({ description: 'The refinement pass that made the edit.' }),
    reason: z.string(),
    before: z.string(),
    after: z.string(),
    raw_start: z.number().int().meta({ description: 'Offset into the raw text, in UTF-16 code units.' }),
    raw_end: z.number().int(),
  })
  .meta({ id: 'Edit', description: 'One change between the raw text and the transcript.' });

export const detail = z
  .object({
    segments: z.array(segment).optional(),
    words: z.array(word).optional(),
    raw: z.string().optional().meta({ description: 'The recognised text, before refinement.' }),
    edits: z.array(edit).optional(),
  })
  .meta({ id: 'Detail' });
export type Detail = z.infer<typeof detail>;

/** Parses a list such as `segments,words`; null when a name is unknown. */
export const parseInclude = (value: string | undefined): ReadonlySet<Include> | null => {
  const names = (value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = names.filter((name): name is Include => (INCLUDES as readonly string[]).includes(name));
  return known.length === names.length ? new Set(known) : null;
};
