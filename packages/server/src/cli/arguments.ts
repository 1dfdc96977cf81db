// Parsers of option values: numbers, dates and spans of time.
import { InvalidArgumentError } from 'commander';

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

/** Seconds, with an optional fraction. */
export const secondsUpTo =
  (max: number) =>
  (text: string): number => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value <= max) return value;
    throw new InvalidArgumentError(`It must be a number of seconds up to ${max}.`);
  };

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3, w: 7 * 86_400e3 };

/** A date, a date with time, or a span such as 30d before (`ago`) or after (`ahead`) now. */
export const parseWhen = (text: string, direction: 'ago' | 'ahead', nowMs = Date.now()): number => {
  const span = /^(\d{1,6})([smhdw])$/.exec(text);
  if (span) return nowMs + (direction === 'ago' ? -1 : 1) * Number(span[1]) * UNIT_MS[span[2]!]!;
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text);
  // Without an offset the time is UTC, like all times of the ledger.
  const hasNoOffset = /T[^Z+-]*$/.test(text);
  const atMs = isDate ? Date.parse(hasNoOffset ? `${text}Z` : text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new InvalidArgumentError('Write a date (2026-11-15), a time (2026-11-15T08:00Z) or a span (30d, 12h, 45m).');
  return atMs;
};

/** Parses `de, en` as a list. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
