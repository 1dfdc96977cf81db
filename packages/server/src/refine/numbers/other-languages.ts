// Reads spoken numbers of German, Spanish, French, Italian, Portuguese and Dutch: every number under 1000 is spelled once, and looked up.
import type { Cursor } from '../rewrite.ts';

type Spell = (n: number) => readonly string[];
interface Spelling {
  readonly below1000: Spell;
  readonly thousand: readonly string[];
  /** Written as one word with what is counted: "zweitausend", "duemila". */
  readonly compound: boolean;
}

const list = (text: string): string[] => text.split(' ');

const german: Spell = (n) => {
  const ones = list(
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  );
  const tens = list('_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig');
  const stem = (k: number) => (k === 1 ? 'ein' : ones[k]!);
  const low = (k: number) =>
    k < 20 ? ones[k]! : k % 10 === 0 ? tens[k / 10]! : `${stem(k % 10)}und${tens[Math.floor(k / 10)]}`;
  if (n < 100) return n === 2 ? ['zwei', 'zwo'] : [low(n)];
  const rest = n % 100 === 0 ? '' : low(n % 100);
  const head = Math.floor(n / 100);
  return head === 1 ? [`hundert${rest}`, `einhundert${rest}`] : [`${stem(head)}hundert${rest}`];
};

const dutch: Spell = (n) => {
  const ones = list(
    'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
  );
  const tens = list('_ _ twintig dertig veertig vijftig zestig zeventig tachtig negentig');
  const and = (k: number) => (k === 2 || k === 3 ? 'ën' : 'en');
  const low = (k: number) =>
    k < 20 ? ones[k]! : k % 10 === 0 ? tens[k / 10]! : `${ones[k % 10]}${and(k % 10)}${tens[Math.floor(k / 10)]}`;
  if (n < 100) return n === 1 ? ['één'] : [low(n)];
  const rest = n % 100 === 0 ? '' : low(n % 100);
  const head = Math.floor(n / 100);
  const hundred = head === 1 ? 'honderd' : `${ones[head]}honderd`;
  return rest === '' ? [hundred] : [hundred + rest, `${hundred} ${rest}`, `${hundred}en${rest}`];
};

const spanish: Spell = (n) => {
  const ones = list(
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  );
  const tens = list('_ _ _ treinta cuarenta cincuenta sesenta setenta ochenta noventa');
  const hundreds = list(
    '_ ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  );
  const low = (k: number): string =>
    k < 30 ? ones[k]! : k % 10 === 0 ? tens[k / 10]! : `${tens[Math.floor(k / 10)]} y ${ones[k % 10]}`;
  if (n < 100) return n === 21 ? [low(n), 'veintiún'] : n === 1 ? [] : [low(n)];
  if (n === 100) return ['cien'];
  const head = hundreds[Math.floor(n / 100)]!;
  const rest = n % 100 === 0 ? '' : ` ${low(n % 100)}`;
  return [head + rest, head.replace('cientos', 'cientas').replace('quinientos', 'quinientas') + rest];
};

const french: Spell = (n) => {
  const ones = list(
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf',
  ).map((word) => word.replace('_', ' '));
  const tens = list('_ _ vingt trente quarante cinquante soixante');
  const low = (k: number): string => {
    if (k < 20) return ones[k]!;
    const ten = Math.floor(k / 10);
    if (k < 70) return k % 10 === 0 ? tens[ten]! : k % 10 === 1 ? `${tens[ten]} et un` : `${tens[ten]} ${ones[k % 10]}`;
    if (k < 80) return k === 71 ? 'soixante et onze' : `soixante ${ones[k - 60]}`;
    return k === 80 ? 'quatre vingts' : `quatre vingt ${ones[k - 80]}`;
  };
  if (n === 1) return [];
  if (n < 100) return [low(n)];
  const head = Math.floor(n / 100);
  const hundred = head === 1 ? 'cent' : `${ones[head]} cent`;
  return n % 100 === 0 ? [hundred, `${hundred}s`] : [`${hundred} ${low(n % 100)}`];
};

const italian: Spell = (n) => {
  const ones = list(
    'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
  );
  const tens = list('_ _ venti trenta quaranta cinquanta sessanta settanta ottanta novanta');
  const low = (k: number): string => {
    if (k < 20) return ones[k]!;
    const ten = tens[Math.floor(k / 10)]!;
    const one = k % 10;
    if (one === 0) return ten;
    return (one === 1 || one === 8 ? ten.slice(0, -1) : ten) + (one === 3 ? 'tré' : ones[one]!);
  };
  if (n < 100) return n === 1 ? [] : n % 10 === 3 && n > 20 ? [low(n), low(n).replace('tré', 'tre')] : [low(n)];
  const head = Math.floor(n / 100);
  const hundred = head === 1 ? 'cento' : `${ones[head]}cento`;
  return n % 100 === 0 ? [hundred] : [hundred + low(n % 100), `${hundred} ${low(n % 100)}`];
};

const portuguese: Spell = (n) => {
  const ones = list(
    'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove',
  );
  const tens = list('_ _ vinte trinta quarenta cinquenta sessenta setenta oitenta noventa');
  const hundreds = list(
    '_ cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
  );
  const low = (k: number): string =>
    k < 20 ? ones[k]! : k % 10 === 0 ? tens[k / 10]! : `${tens[Math.floor(k / 10)]} e ${ones[k % 10]}`;
  if (n === 1) return [];
  if (n < 100) return n === 2 ? ['dois', 'duas'] : n === 14 ? ['quatorze', 'catorze'] : [low(n)];
  if (n === 100) return ['cem'];
  const head = hundreds[Math.floor(n / 100)]!;
  return n % 100 === 0 ? [head] : [`${head} e ${low(n % 100)}`];
};

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  de: { below1000: german, thousand: ['tausend'], compound: true },
  nl: { below1000: dutch, thousand: ['duizend'], compound: true },
  es: { below1000: spanish, thousand: ['mil'], compound: false },
  fr: { below1000: french, thousand: ['mille'], compound: false },
  it: { below1000: italian, thousand: ['mila', 'mille'], compound: true },
  pt: { below1000: portuguese, thousand: ['mil'], compound: false },
};

export interface Numerals {
  readonly values: ReadonlyMap<string, number>;
  /** Every single word that occurs in a number. */
  readonly words: ReadonlySet<string>;
  readonly spelling: Spelling;
}

const build = (spelling: Spelling): Numerals => {
  const values = new Map<string, number>();
  const words = new Set<string>(spelling.thousand);
  for (let n = 0; n < 1000; n++) {
    for (const spelled of spelling.below1000(n)) {
      values.set(spelled, n);
      // The little words that join numbers are not numbers.
      for (const word of spelled.split(' ')) if (!/^(?:y|e|et|un|um)$/u.test(word)) words.add(word);
    }
  }
  return { values, words, spelling };
};

const built = new Map<string, Numerals>();
export const numeralsOf = (code: string): Numerals | null => {
  const spelling = SPELLINGS[code];
  if (!spelling) return null;
  const known = built.get(code) ?? build(spelling);
  built.set(code, known);
  return known;
};

export interface OtherLanguageReading {
  readonly value: number;
  readonly length: number;
  readonly spelled: boolean;
}

const WORDS_MAX = 6;

const below1000 = (at: Cursor, n: number, numerals: Numerals): OtherLanguageReading | null => {
  let open = 1;
  while (open < WORDS_MAX && at.ahead(n + open) && at.ahead(n + open - 1)!.trail === '') open += 1;
  for (let length = open; length >= 1; length--) {
    const phrase = at
      .span(n, n + length)
      .map((token) => token.key)
      .join(' ')
      .replaceAll('-', ' ');
    const value = numerals.values.get(phrase);
    if (value !== undefined) return { value, length, spelled: true };
  }
  return null;
};

/** "zweitausendvierundzwanzig", "duemila": thousands in one word. */
const compound = (key: string, { values, spelling }: Numerals): number | null => {
  for (const thousand of spelling.thousand) {
    const place = key.indexOf(thousand);
    if (place < 0) continue;
    const before = key.slice(0, place);
    const after = key
      .slice(place + thousand.length)
      .replace(/^(?:und|e|en)(?=.)/u, (joint) => (values.has(key.slice(place + thousand.length)) ? joint : ''));
    const head = before === '' || before === 'ein' ? 1 : values.get(before);
    const tail = after === '' ? 0 : values.get(after);
    if (head !== undefined && tail !== undefined && head > 0) return head * 1000 + tail;
  }
  // "neunzehnhundertneunundneunzig"
  const hundred = /^(.+?)(?:hundert|honderd)(.*)$/u.exec(key);
  const head = hundred && values.get(hundred[1]!);
  const tail = hundred && (hundred[2] === '' ? 0 : values.get(hundred[2]!));
  return typeof head === 'number' && head > 10 && head < 100 && typeof tail === 'number' && tail < 100
    ? head * 100 + tail
    : null;
};

/** The longest number from word n on, below a million. */
export const readOtherLanguage = (at: Cursor, n: number, code: string): OtherLanguageReading | null => {
  const numerals = numeralsOf(code);
  const key = at.key(n);
  if (!numerals || key === '') return null;
  if (/^\d+(?:[.,]\d+)?$/u.test(key)) return { value: Number(key.replace(',', '.')), length: 1, spelled: false };
  const { thousand } = numerals.spelling;
  const whole = numerals.spelling.compound ? compound(key, numerals) : null;
  const first = whole === null ? below1000(at, n, numerals) : { value: whole, length: 1, spelled: true };
  if (whole === null && thousand.includes(key) && key !== 'mila') {
    const joint = /^(?:y|e|et|en|und)$/u.test(at.key(n + 1)) ? 1 : 0;
    const tail = at.ahead(n)!.trail === '' ? below1000(at, n + 1 + joint, numerals) : null;
    return tail ? { value: 1000 + tail.value, length: 1 + joint + tail.length, spelled: true } : null;
  }
  if (!first) return null;
  let { value, length } = first;
  let scaled = whole !== null && whole % 1000 === 0;
  if (whole === null && at.ahead(n + length - 1)!.trail === '' && thousand.includes(at.key(n + length)) && value > 0) {
    value *= 1000;
    length += 1;
    scaled = true;
  }
  if (scaled && at.ahead(n + length - 1)!.trail === '') {
    const joint = /^(?:y|e|et|en|und)$/u.test(at.key(n + length)) ? 1 : 0;
    const tail = below1000(at, n + length + joint, numerals);
    if (tail && tail.value > 0)
      return { value: value + tail.value, length: length + joint + tail.length, spelled: true };
  }
  return { value, length, spelled: true };
};
