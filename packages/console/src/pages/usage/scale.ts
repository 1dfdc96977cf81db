// The vertical axis of the chart: its unit and round ticks.

export interface Scale {
  /** The end of the axis, in the unit of the values. */
  readonly max: number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

const TICKS = 4;
const TIME_UNITS = [
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** 1, 2 or 5 times a power of ten. */
const roundStep = (step: number): number => {
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 5].find((factor) => factor * power >= step) ?? 10) * power;
};

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

const scaleIn = (largest: number, unitSize: number, unitText: string, stepMin: number): Scale => {
  const step = Math.max(stepMin, roundStep(Math.max(largest / unitSize, Number.MIN_VALUE) / TICKS));
  const count = Math.max(1, Math.ceil(largest / unitSize / step - 1e-9));
  return {
    max: count * step * unitSize,
    ticks: Array.from({ length: count + 1 }, (_, at) => ({
      value: at * step * unitSize,
      text: `${number.format(at * step)}${unitText}`,
    })),
  };
};

/** Seconds, minutes or hours. */
export const timeScale = (largestSeconds: number): Scale => {
  const [text, size] = TIME_UNITS.find(([, unit]) => largestSeconds >= 2 * unit) ?? TIME_UNITS[2];
  return scaleIn(Math.max(largestSeconds, 4), size, ` ${text}`, 0);
};

export const countScale = (largest: number): Scale => scaleIn(Math.max(largest, 1), 1, '', 1);
