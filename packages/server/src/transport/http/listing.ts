// Query parameters and ids of routes that list records page by page, newest first.
import { invalidRequest } from '../../lib/fault.ts';

/** PostgreSQL rejects queries with a NUL character, so only well-formed ids may reach it. */
export const isId = (text: string): boolean => /^[0-9A-Z]{26}$/.test(text);

interface PageSizes {
  readonly default: number;
  readonly max: number;
}

export const limitOf = (text: string | undefined, sizes: PageSizes): number => {
  const limit = text === undefined ? sizes.default : /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= sizes.max) return limit;
  throw invalidRequest(`"limit" must be from 1 to ${sizes.max}.`, 'limit');
};

/** Where a page starts: after this id. `record` is named in the message. */
export const beforeOf = (text: string | undefined, record: string): string | undefined => {
  if (text === undefined || isId(text)) return text;
  throw invalidRequest(`"before" must be the id of ${record}.`, 'before');
};

/** A page of at most `limit` of the records found; one more than that shows that another page follows. */
export const pageOf = <Row extends { readonly id: string }>(found: readonly Row[], limit: number) => {
  const shown = found.slice(0, limit);
  return { shown, next_before: found.length > limit ? shown.at(-1)!.id : null };
};
