// Generates spoken numbers of every kind, each with a pattern of its accepted forms.
import { PHRASES } from './phrases.ts';
import { anyNumber, type Random } from './random.ts';
import { SAY, sayDecimal, sayDigits } from './say.ts';

export interface Said {
  readonly said: string;
  /** A pattern of accepted text: the words as spoken, or the same value in digits. */
  readonly pattern: string;
  /** The number of numbers in it. */
  readonly count: number;
}

export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** The digits of a value: plain, grouped, or with the word of its scale. */
const digitForms = (value: number, code: string): string => {
  const forms = [String(value), value.toLocaleString('en-US')].map(escaped);
  for (const [size, words] of PHRASES[code]!.scales) {
    const count = Math.round((value / size) * 1e6) / 1e6;
    if (count >= 1) forms.push(`${escaped(String(count))} (?:${words.toLowerCase()})`);
    if (count >= 1) forms.push(`${escaped(String(count).replace('.', ','))} (?:${words.toLowerCase()})`);
  }
  return `(?:${forms.join('|')})`;
};

const number = (value: number, code: string, random: Random): Said => {
  const said = SAY[code]!(value, random);
  return { said, pattern: `(?:${escaped(said.toLowerCase())}|${digitForms(value, code)})`, count: 1 };
};
/** Accepts either the words as spoken or the written form. */
const either = (said: string, written: string, count = 1): Said => ({
  said,
  pattern: `(?:${escaped(said.toLowerCase())}|${written})`,
  count,
});

const SIGNS: Readonly<Record<string, string>> = { dollars: '\\$', euros: '€' };
/** "5 Euro", or in English "$5". */
const amountForms = (value: number, currency: string, code: string): string => {
  const forms = digitForms(value, code);
  const sign = code === 'en' ? SIGNS[currency] : undefined;
  return sign ? `${sign}${forms}` : `${forms}(?: de| di)? ${currency.toLowerCase()}`;
};

const MONEY_MAX = 9_999_999_999;

type Kind = (code: string, random: Random) => Said;

const digitsOf = (length: number, random: Random): string =>
  Array.from({ length }, () => String(random.int(0, 9))).join('');
/** Digits with any separator between groups. */
const spaced = (digits: string): string => [...digits].map(escaped).join('[-\\s.]?');

export const KINDS: Readonly<Record<string, Kind>> = {
  plain: (code, random) => number(anyNumber(random, 9_999_999_999), code, random),
  money: (code, random) => {
    const value = anyNumber(random, MONEY_MAX);
    const [currency] = random.pick(PHRASES[code]!.money);
    const { said } = number(value, code, random);
    return either(`${said} ${currency}`, amountForms(value, currency, code));
  },
  bigMoney: (code, random) => {
    const value = random.int(2, 999) * 1e6;
    const { said } = number(value, code, random);
    const joint = code === 'de' ? '' : code === 'it' ? 'di ' : 'de ';
    const currency = PHRASES[code]!.money[0]![0];
    return either(`${said} ${joint}${currency}`, amountForms(value, currency, code));
  },
  cents: (code, random) => {
    const [currency, joint, cents] = random.pick(PHRASES[code]!.money);
    const [value, part] = [anyNumber(random, 9999), cents === '' ? random.int(10, 99) : random.int(2, 99)];
    const said = `${SAY[code]!(value, random)} ${currency}${joint}${SAY[code]!(part, random)} ${cents}`.trim();
    const sign = code === 'en' ? SIGNS[currency] : undefined;
    const digits = `${value}[.,]${String(part).padStart(2, '0')}`;
    const grouped = `${escaped(value.toLocaleString('en-US'))}\\.${String(part).padStart(2, '0')}`;
    const written = sign ? `${sign}(?:${digits}|${grouped})` : `${digits} ${currency.toLowerCase()}`;
    const apart = `${amountForms(value, currency, code)}${joint}${part} ${cents.toLowerCase()}`.trim();
    return either(said, cents === '' ? written : `${written}|${apart}`, 2);
  },
  unit: (code, random) => {
    const value = anyNumber(random, 99_999_999);
    const unit = random.pick(PHRASES[code]!.units);
    return either(`${SAY[code]!(value, random)} ${unit}`, `${digitForms(value, code)} ${unit.toLowerCase()}`);
  },
  percent: (code, random) => {
    const value = anyNumber(random, 9999);
    return either(`${SAY[code]!(value, random)} ${PHRASES[code]!.percent}`, `${digitForms(value, code)} ?%`);
  },
  decimal: (code, random) => {
    const [whole, fraction] = [anyNumber(random, 9999), digitsOf(random.int(1, 3), random)];
    return either(sayDecimal(whole, fraction, code, random), `${whole}[.,]${fraction}`);
  },
  decimalUnit: (code, random) => {
    const [whole, fraction] = [anyNumber(random, 9999), digitsOf(random.int(1, 2), random)];
    const unit = random.pick(PHRASES[code]!.units);
    const said = `${sayDecimal(whole, fraction, code, random)} ${unit}`;
    return either(said, `${whole}[.,]${fraction} ${unit.toLowerCase()}`);
  },
  phone: (code, random) => {
    const digits = digitsOf(random.int(3, 12), random);
    return either(sayDigits(digits, code, random), spaced(digits), digits.length);
  },
  /** "nine six one nine six one": a repeated group must stay. */
  groups: (code, random) => {
    const group = digitsOf(random.int(1, 4), random);
    const digits = group.repeat(random.int(2, 4)) + (random.chance(0.5) ? digitsOf(random.int(1, 3), random) : '');
    return either(sayDigits(digits, code, random), spaced(digits), digits.length);
  },
  pairs: (code, random) => {
    const pairs = Array.from({ length: random.int(2, 5) }, () => random.int(10, 99));
    return either(pairs.map((pair) => SAY[code]!(pair, random)).join(' '), spaced(pairs.join('')), pairs.length);
  },
  triples: (code, random) => {
    const triples = Array.from({ length: random.int(2, 3) }, () => random.int(100, 999));
    return either(triples.map((each) => SAY[code]!(each, random)).join(' '), spaced(triples.join('')), triples.length);
  },
  range: (code, random) => {
    const low = anyNumber(random, 9999);
    const [from, to] = [number(low, code, random), number(low + random.int(1, 500), code, random)];
    const unit = random.pick(PHRASES[code]!.units);
    const joint = random.pick(PHRASES[code]!.to);
    return {
      said: `${from.said} ${joint} ${to.said} ${unit}`,
      pattern: `${from.pattern} ${joint} ${to.pattern} ${unit.toLowerCase()}`,
      count: 2,
    };
  },
  between: (code, random) => {
    const [between, and] = PHRASES[code]!.between;
    const low = anyNumber(random, 99);
    const [from, to] = [number(low, code, random), number(low + random.int(1, 60), code, random)];
    return {
      said: `${between} ${from.said} ${and} ${to.said}`,
      pattern: `${between} ${from.pattern} ${and} ${to.pattern}`,
      count: 2,
    };
  },
  list: (code, random) => {
    const items = Array.from({ length: random.int(2, 5) }, () => number(anyNumber(random, 999), code, random));
    const last = items.pop()!;
    const { and } = PHRASES[code]!;
    return {
      said: `${items.map(({ said }) => said).join(', ')}, ${and} ${last.said}`,
      pattern: `${items.map(({ pattern }) => pattern).join(' ')} ${and} ${last.pattern}`,
      count: items.length + 1,
    };
  },
  clock: (code, random) => {
    const form = random.pick(PHRASES[code]!.clock);
    const [hour, minutes] = [random.int(2, code === 'en' ? 12 : 23), random.int(10, 59)];
    const said = form.replace('#', SAY[code]!(hour, random)).replace('%', SAY[code]!(minutes, random));
    const whole = !form.includes('%');
    const before = code === 'en' ? `${form.split(' ')[0]} ` : '';
    const time = whole ? `${hour}` : `${hour}(?:[:.]| h )${minutes}`;
    const after = code === 'en' ? (form.endsWith('m') ? ' p.m' : '') : '(?: uhr| uur| heures)?';
    return either(said, `${before}${time}${after}`, whole ? 1 : 2);
  },
  date: (code, random) => {
    const form = random.pick(PHRASES[code]!.dates);
    const day = random.int(2, 31);
    const said = form.replace('#', SAY[code]!(day, random));
    return either(said, form.toLowerCase().replace('#', `${day}(?:st|nd|rd|th|\\.)?`));
  },
  year: (code, random) => number(random.int(1101, 2099), code, random),
};
