// Formats numbers in digits.

export const grouped = (value: number): string => {
  const [whole = '', fraction] = String(value).split('.');
  const parts = value >= 1000 ? whole.replace(/\B(?=(?:\d{3})+$)/gu, ',') : whole;
  return fraction ? `${parts}.${fraction}` : parts;
};

/** Round millions keep a word: 2 million, 2.5 billion. */
export const amount = (value: number): string => {
  for (const [size, word] of [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ] as const) {
    const count = value / size;
    if (count >= 1 && Number.isInteger(Math.round(count * 1e6) / 1e4) && count < 1000)
      return `${Math.round(count * 100) / 100} ${word}`;
  }
  return grouped(value);
};

export const ordinal = (value: number): string => {
  const tail = value % 100;
  const suffix = tail >= 11 && tail <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${grouped(value)}${suffix}`;
};

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** American telephone numbers have 7, 10 or 11 digits; any other run has no hyphens. */
export const digitRun = (digits: string): string => {
  if (digits.length === 7 && digits[0] !== '0') return `${digits.slice(0, 3)}-${digits.slice(3)}`;
  if (digits.length === 10 && digits[0] !== '0')
    return `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`;
  if (digits.length === 11 && digits[0] === '1') return `1-${digitRun(digits.slice(1))}`;
  return digits;
};

const isStepping = (digits: string, step: number): boolean =>
  [...digits].every((digit, n) => n === 0 || Number(digit) === Number(digits[n - 1]) + step);

/** "12345" */
export const isCountingUp = (digits: string): boolean => isStepping(digits, 1);

/** "54321" */
export const isCountingDown = (digits: string): boolean => isStepping(digits, -1);
