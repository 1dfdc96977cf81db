// Formats numbers and times for people.

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const hundredths = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

const recent = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const recentExact = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  // The same width at any hour, because the usage table has no room to spare.
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
/** With seconds and time zone. */
export const exactTime = (iso: string): string => exact.format(new Date(iso));

/** The reader's time zone, such as "CET" or "GMT+5:30". */
export const timeZone: string =
  new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';

const money = (currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 4 });
export const price = (value: number, currency: string): string => {
  // Fractions of a cent matter for single requests only.
  const rounded = value >= 1 ? Math.round(value * 100) / 100 : value;
  return money(currency).format(rounded);
};

/** For columns, with the same number of digits in every row. */
export const alignedPrice = (value: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, minimumFractionDigits: 4 }).format(value);

/** For lists: omits the current year. */
export const listTime = (iso: string, now = new Date()): string =>
  new Date(iso).getFullYear() === now.getFullYear() ? recent.format(new Date(iso)) : dateTime.format(new Date(iso));
/** Like `listTime`, with seconds. The column heading names the time zone. */
export const listTimeExact = (iso: string, now = new Date()): string =>
  new Date(iso).getFullYear() === now.getFullYear() ? recentExact.format(new Date(iso)) : exact.format(new Date(iso));
export const count = (value: number): string => whole.format(value);
export const seconds = (value: number): string => `${fine.format(value)} s`;
/** For columns whose heading names the unit. Two fixed decimals align the decimal points. */
export const alignedSeconds = (value: number): string => hundredths.format(value);
export const time = (iso: string): string => dateTime.format(new Date(iso));
export const day = (iso: string): string => dateOnly.format(new Date(iso));
export const megabytes = (bytes: number): string =>
  bytes < 10 * 1024 ** 3 ? `${whole.format(bytes / 1024 ** 2)} MB` : `${fine.format(bytes / 1024 ** 3)} GB`;
export const percent = (part: number, of: number): string => (of === 0 ? '–' : `${fine.format((part / of) * 100)} %`);

/** 95 seconds as 1:35. */
export const clock = (value: number): string => {
  const total = Math.floor(value);
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`;
};

/** "4.10 h", but "4 h". */
const hours = (value: number): string =>
  `${(Number.isInteger(Math.round(value * 100) / 100) ? whole : hundredths).format(value)} h`;

/** Hours and minutes for totals, seconds for small amounts. */
export const amount = (value: number): string => {
  if (value < 120) return seconds(Math.round(value * 100) / 100);
  const minutes = Math.round(value / 60);
  return minutes < 120 ? `${whole.format(minutes)} min` : hours(value / 3600);
};

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
export const ago = (iso: string): string => {
  const age = (new Date(iso).getTime() - Date.now()) / 1000;
  for (const [unit, size] of STEPS) if (Math.abs(age) >= size) return relative.format(Math.round(age / size), unit);
  return 'just now';
};

/** "1 request", "2 requests". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export const milliseconds = (value: number): string =>
  value < 1000 ? `${whole.format(value)} ms` : `${fine.format(value / 1000)} s`;

export const bytes = (value: number): string =>
  value < 1024 * 1024
    ? `${whole.format(Math.max(1, value / 1024))} kB`
    : `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value / 1024 / 1024)} MB`;
