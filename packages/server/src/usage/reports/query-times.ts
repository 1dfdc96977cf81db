// Parses the times of a usage query.
import { invalidRequest } from '../../lib/fault.ts';
import { periodOf } from '../budgets/period.ts';

export const moment = (name: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const atMs = Date.parse(value);
  if (Number.isNaN(atMs)) throw invalidRequest(`${name}: must be a date in ISO 8601.`);
  return atMs;
};

export const dayOf = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : periodOf('day', atMs);
