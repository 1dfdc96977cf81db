// The `include` extension: segments, words, raw text, edits and terms of a transcript.
import { z } from 'zod';

export const INCLUDES = ['segments', 'words', 'raw', 'edits', 'terms'] as const;
export type Include = (typeof INCLUDES)[number];

/** The largest speaker count that a caller may give. */
export const SPEAKERS_MAX = 20;

const speakerNumber = z
  .number()
  .int()
  .min(0)
  .nullable()
  .optional()
  .meta({ description: 'Only with `speakers`: who said it, or null. An index into `speakers`.' });

export const word = z
  .object({
    text: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    confidence: z.number().min(0).max(1),
    speaker: speakerNumber,
    speaker_confidence: z.number().min(0).max(1).optional(),
  })
  .meta({ id: 'Word', description: 'One recognised word.' });

export const segment = z
  .object({
    text: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    language: z.string().nullable(),
    confidence: z.number().min(0).max(1),
    speaker: speakerNumber,
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

export const speaker = z
  .object({
    speaker: z.number().int().min(0),
    name: z.string().nullable().meta({ description: 'The name of a channel or known voice; null otherwise.' }),
    is_name_sure: z.boolean(),
    seconds: z.number().meta({ description: 'Seconds of speech.' }),
  })
  .meta({ id: 'Speaker', description: 'A speaker. Speakers are in the order in which they are first heard.' });

export const paragraph = z
  .object({
    text: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    speaker: speakerNumber,
  })
  .meta({ id: 'Paragraph', description: 'A part of the transcript that one person says.' });

export const writtenTerm = z
  .object({
    term: z.string().meta({ description: 'The term of the vocabulary.' }),
    instead: z.string().meta({ description: 'What recognition would have written without the vocabulary.' }),
    raw_start: z.number().int().meta({ description: 'Offset into the raw text, in UTF-16 code units.' }),
    raw_end: z.number().int(),
  })
  .meta({ id: 'WrittenTerm', description: 'A term that the vocabulary put into the raw text.' });

export const detail = z
  .object({
    effort: z.literal('reduced').optional().meta({
      description: 'Time ran short, so part of the audio was recognised by one model only.',
    }),
    segments: z.array(segment).optional(),
    words: z.array(word).optional(),
    raw: z.string().optional().meta({ description: 'The recognised text, before refinement.' }),
    edits: z.array(edit).optional(),
    speakers: z.array(speaker).optional().meta({ description: 'Only with `speakers`, as are paragraphs.' }),
    paragraphs: z.array(paragraph).optional(),
    terms: z.array(writtenTerm).optional(),
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
