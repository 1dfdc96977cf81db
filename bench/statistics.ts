// Small arithmetic on measurements.

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** A ratio for a table; a dash where there is nothing to divide by. */
export const ratio = (value: number, base: number | undefined, digits = 2): string =>
  base === undefined || !(base > 0) ? '–' : (value / base).toFixed(digits);
