// Replaces spoken words with one written number.
import type { Cursor } from '../cursor.ts';
import type { Change } from '../rewrite.ts';
import { merge } from '../token.ts';

/** Null when the word is already written that way. */
export const asNumber = (at: Cursor, length: number, core: string, reason: string): Change | null => {
  const span = at.span(0, length);
  if (span.length === 1 && span[0]!.core === core) return null;
  return { take: length, put: [merge(span, core)], reason };
};

/** Keeps the words as spoken and stops later rules from reading them. */
export const asSpoken = (at: Cursor, length: number): Change => ({
  take: length,
  put: at.span(0, length),
  reason: 'stays in words',
});
