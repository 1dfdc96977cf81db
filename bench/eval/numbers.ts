// The ways to read a number aloud in English: a transcript may contain 1027 where the reference spells it out.

const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES: readonly (readonly [number, string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
];
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

export type Words = readonly string[];

const digit = (character: string): string => ONES[Number(character)] ?? character;

export const cardinal = (value: number, passthroughRefiner: Words = []): Words => {
  if (value < 20) return [ONES[value] ?? ''];
  if (value < 100) {
    const ones = value % 10;
    return [TENS[Math.floor(value / 10)] ?? '', ...(ones ? [ONES[ones] ?? ''] : [])];
  }
  for (const [size, name] of SCALES) {
    if (value < size) continue;
    const rest = value % size;
    const tail = rest === 0 ? [] : [...(rest < 100 ? passthroughRefiner : []), ...cardinal(rest, passthroughRefiner)];
    return [...cardinal(Math.floor(value / size), passthroughRefiner), name, ...tail];
  }
  return [];
};

/** All readings in groups of one or two digits: ten twenty seven, one zero two seven, and so on. */
const inGroups = (digits: string, zero: string): Words[] => {
  if (digits === '') return [[]];
  const first = digits[0] === '0' ? [zero] : cardinal(Number(digits[0]));
  const readings = inGroups(digits.slice(1), zero).map((rest) => [...first, ...rest]);
  if (digits.length < 2 || digits[0] === '0') return readings;
  const pair = cardinal(Number(digits.slice(0, 2)));
  return [...readings, ...inGroups(digits.slice(2), zero).map((rest) => [...pair, ...rest])];
};

const asYear = (value: number): Words => {
  const low = value % 100;
  const ending = low === 0 ? ['hundred'] : low < 10 ? ['oh', digit(String(low))] : cardinal(low);
  return [...cardinal(Math.floor(value / 100)), ...ending];
};

/** All readings of a number; the first is the plain one. */
export const readings = (digits: string): Words[] => {
  if (digits === '00') return [['hundred'], ["o'clock"], ['zero', 'zero'], ['oh', 'oh'], []];
  const zeros = ['zero', 'oh'];
  if (digits.length > 10) {
    return zeros.map((zero) => [...digits].map((character) => (character === '0' ? zero : digit(character))));
  }
  const value = Number(digits);
  const found: Words[] = [];
  if (digits[0] !== '0' || digits.length === 1) {
    found.push(cardinal(value), cardinal(value, ['and']));
    if (found[0]?.[0] === 'one' && value > 99) found.push(...found.map((reading) => ['a', ...reading.slice(1)]));
  }
  if (digits.length === 4 && digits[0] !== '0' && value % 1000 !== 0) {
    const isLikelyYear = (value >= 1100 && value < 2000) || (value >= 2010 && value < 2100);
    found.splice(isLikelyYear ? 0 : 1, 0, asYear(value));
  }
  return [...found, ...zeros.flatMap((zero) => inGroups(digits, zero))];
};

const changeLast = (words: Words, change: (last: string) => string): Words => [
  ...words.slice(0, -1),
  change(words.at(-1) ?? ''),
];

export const ordinal = (words: Words): Words =>
  changeLast(words, (last) => ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`));

export const plural = (words: Words): Words =>
  changeLast(words, (last) =>
    last.endsWith('y') ? `${last.slice(0, -1)}ies` : `${last}${last.endsWith('x') ? 'es' : 's'}`,
  );
