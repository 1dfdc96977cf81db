// What the rules for written numbers share.
import type { Change, Cursor } from '../rewrite.ts';
import { merge } from '../token.ts';

export const change = (at: Cursor, length: number, core: string, reason: string): Change | null => {
  const span = at.span(0, length);
  if (span.length === 1 && span[0]!.core === core) return null;
  return { take: length, put: [merge(span, core)], reason };
};

/** No mark and no line break between the words before n and word n. */
export const joined = (at: Cursor, n: number): boolean =>
  at.ahead(n - 1)?.trail === '' &&
  at.ahead(n) !== undefined &&
  !at.ahead(n)!.gap.includes('\n') &&
  at.ahead(n)!.lead === '';
