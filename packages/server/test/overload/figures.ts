// Statistics for load tests.

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export interface MemorySample {
  readonly atMs: number;
  readonly bytes: number;
}

/** The slope of the least-squares line through the samples, in MB per minute. */
export const slopeMbPerMinute = (samples: readonly MemorySample[]): number => {
  const [atMean, bytesMean] = [mean(samples.map(({ atMs }) => atMs)), mean(samples.map(({ bytes }) => bytes))];
  let [above, below] = [0, 0];
  for (const { atMs, bytes } of samples) {
    above += (atMs - atMean) * (bytes - bytesMean);
    below += (atMs - atMean) ** 2;
  }
  return below === 0 ? 0 : ((above / below) * 60_000) / 2 ** 20;
};

/** The largest deviation from the mean, as a share of the mean. */
export const spread = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.max(...values.map((value) => Math.abs(value - middle))) / middle;
};

/** One figure with its target. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly target: string;
  readonly met: boolean;
}

export const figuresTable = (figures: readonly Figure[]): string =>
  [
    '| figure | value | target | |',
    '|---|---|---|---|',
    ...figures.map(({ what, value, target, met }) => `| ${what} | ${value} | ${target} | ${met ? 'met' : 'NOT met'} |`),
  ].join('\n');
