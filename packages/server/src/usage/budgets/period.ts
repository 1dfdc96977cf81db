// Budget periods: days and months in UTC.

export type Span = 'day' | 'month';
export const SPANS = ['day', 'month'] as const satisfies readonly Span[];

const LENGTH = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length };

/** For example 2026-11-15 or 2026-11. */
export const periodOf = (span: Span, atMs: number): string => new Date(atMs).toISOString().slice(0, LENGTH[span]);

/** The first moment after a period. */
export const endOf = (period: string): number => {
  const [year = 0, month = 1, day] = period.split('-').map(Number);
  return day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1);
};
