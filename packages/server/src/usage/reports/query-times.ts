// Parses the times of a usage query.
import { invalidRequest } from '../../lib/fault.ts';
import { periodOf } from '../budgets/period.ts';

export const moment = (name: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const atMs = Date.parse(value);
  if (Number.isNaN(atMs)) throw invalidRequest(`${name}: must be a date in ISO 8601.`);
  return atMs;
};

export interface DayRange {
  readonly fromDay: string | undefined;
  readonly toDay: string | undefined;
}

/** The whole days that a range touches. Its end is excluded, so a range until midnight does not touch the next day. */
export const daysOf = (sinceMs: number | undefined, untilMs: number | undefined): DayRange => ({
  fromDay: sinceMs === undefined ? undefined : periodOf('day', sinceMs),
  toDay: untilMs === undefined ? undefined : periodOf('day', untilMs - 1),
});
