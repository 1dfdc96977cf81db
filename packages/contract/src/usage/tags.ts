// Tags that callers add to requests to distinguish their usage.
import { z } from 'zod';

export const TAG_CHARACTERS_MAX = 64;
export const TAGS_MAX = 8;

/** A tag is shown in lists and files, so it has no control characters and no comma, which separates tags. */
export const requestTag = z
  .string()
  .trim()
  .min(1, 'a tag must not be empty')
  .max(TAG_CHARACTERS_MAX, `a tag has at most ${TAG_CHARACTERS_MAX} characters`)
  .regex(/^[^\p{Cc}\p{Surrogate},]*$/u, 'a tag has no commas and no control characters');

export const requestTags = z.array(requestTag).max(TAGS_MAX, `at most ${TAGS_MAX} tags`);

/** Sorted, without duplicates. */
export const distinctTags = (tags: readonly string[]): string[] => [...new Set(tags)].sort();
