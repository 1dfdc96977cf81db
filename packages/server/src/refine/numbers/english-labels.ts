// English numbers that name something, and digits said one by one.
import { words } from '../languages/entry.ts';
import type { Change, Cursor, Rule } from '../rewrite.ts';
import { digitOf, isNumberKey, readNumber } from './english.ts';
import { readDecimal } from './english-amounts.ts';
import { change, joined } from './forms.ts';
import { digitRun, grouped } from './write.ts';

const LABELS =
  words(`page pages chapter room step flight gate route highway interstate bus apartment apt suite unit version section figure table
  question level line platform channel episode season volume extension bug issue ticket exit lane platform building floor item option
  phase round appendix article exercise lesson week day act scene verse track port zone district ward bed invoice order case size grade
  type model build release revision enter dial press pin code zip number account passcode password id extension area`);
/** After these a single small number is prose as often as a label. */
const PROSE_LABELS = words(
  'week day number floor type case press line round order size question bed account unit item lane exit building model enter dial code pin id password area',
);

/** "my extension is four two" */
const NAMED = words('extension pin code room gate flight passcode id');
const LETTERED = words('apartment apt unit suite gate room seat row building flat');

/** "apartment four b" */
const letterAfter = (at: Cursor, before: string, length: number): Change | null => {
  const token = at.ahead(length);
  if (
    !LETTERED.has(before) ||
    length === 0 ||
    length > 2 ||
    !token ||
    !joined(at, length) ||
    !/^[b-hj-z]$/u.test(token.key)
  )
    return null;
  const read = readNumber(at, 0);
  if (read?.kind !== 'cardinal' || read.length !== length) return null;
  return change(at, length + 1, `${read.value}${token.key.toUpperCase()}`, 'a number that names something');
};

/** "room two oh five", "flight two eighteen", "chapter three": a number that names something. */
export const label: Rule = (at) => {
  // "q four": a quarter of the year.
  const quarter = at.key(0) === 'q' && joined(at, 1) ? Number(digitOf(at.key(1)) ?? 0) : 0;
  if (quarter >= 1 && quarter <= 4) return change(at, 2, `Q${quarter}`, 'a number that names something');
  const named = at.key(-1) === 'is' && NAMED.has(at.key(-2));
  const before = named ? at.key(-2) : at.key(-1);
  const lettered = LETTERED.has(before) && /^[a-hj-z]$/u.test(at.key(0)) && joined(at, 1) ? readNumber(at, 1) : null;
  if (lettered?.kind === 'cardinal' && lettered.value < 1000)
    return change(
      at,
      1 + lettered.length,
      `${at.key(0).toUpperCase()}${lettered.value}`,
      'a number that names something',
    );
  if (!LABELS.has(before) || at.behind(1)?.trail !== '' || at.ahead(0)!.gap.includes('\n')) return null;
  let digits = '';
  let length = 0;
  while (at.ahead(length) && (length === 0 || joined(at, length))) {
    const digit = digitOf(at.key(length));
    const part = digit === null ? readNumber(at, length) : null;
    if (digit !== null && !(digits === '' && at.key(length) === 'oh')) [digits, length] = [digits + digit, length + 1];
    else if (part && part.kind === 'cardinal' && part.spelled && part.value < 100)
      [digits, length] = [digits + part.value, length + part.length];
    else break;
  }
  const whole = readNumber(at, 0);
  if (readDecimal(at, 0) || (named && length < 2)) return null;
  const letter = letterAfter(at, before, Math.max(length, whole?.length ?? 0));
  if (letter) return letter;
  if (whole && whole.kind === 'cardinal' && whole.length >= length) {
    if (!whole.spelled || whole.vague) return null;
    if (
      whole.value < 10 &&
      (PROSE_LABELS.has(before) || (/^(?:or|and|to)$/u.test(at.key(1)) && /^(?:two|three|more)$/u.test(at.key(2))))
    )
      return null;
    return change(
      at,
      whole.length,
      whole.value >= 10_000 ? grouped(whole.value) : String(whole.value),
      'a number that names something',
    );
  }
  return length >= 2 && digits.length >= 2
    ? change(at, length, digitRun(digits), 'a number that names something')
    : null;
};

const COUNTING_CONTEXT =
  words(`number pin code call phone extension zip room account is at on cell mobile fax ssn serial digits are passcode password
  id ending dial enter press tracking flight reference confirmation order text reach`);
const DOUBLES = new Map([
  ['double', 2],
  ['triple', 3],
]);
const DIGITS_MIN = 3;
const PAIRS_AFTER_DIGITS = 3;

/** Inside a run of digits that was already turned down at its start: reading it again from every digit would take forever. */
const isInsideRun = (at: Cursor): boolean => {
  const before = at.behind(1);
  return before !== undefined && before.trail === '' && digitOf(before.key) !== null;
};

/** "o two three …": a letter, unless a whole telephone number follows it. */
const leadsDigits = (at: Cursor): boolean => {
  for (let n = 1; n <= 6; n++) if (!joined(at, n) || digitOf(at.key(n)) === null) return false;
  return true;
};

/** "five five five one two three four": three digits or more, one by one. */
export const digits: Rule = (at) => {
  if (isInsideRun(at)) return null;
  let run = '';
  let length = 0;
  let spelled = 0;
  let pairs = 0;
  while (at.ahead(length) && (length === 0 || joined(at, length))) {
    const times = DOUBLES.get(at.key(length));
    const repeated = times !== undefined && joined(at, length + 1) ? digitOf(at.key(length + 1)) : null;
    if (repeated !== null) {
      run += repeated.repeat(times!);
      length += 2;
      spelled += 1;
      continue;
    }
    const digit = digitOf(at.key(length));
    // "one eight hundred", and pairs such as "twelve twelve" late in a telephone number.
    if ((run === '18' || run === '19') && at.key(length) === 'hundred') {
      run += '00';
      length += 1;
      continue;
    }
    const pair = digit === null && run.length >= PAIRS_AFTER_DIGITS ? readNumber(at, length) : null;
    if (pair?.kind === 'cardinal' && pair.spelled && pair.value >= 10 && pair.value < 100) {
      run += String(pair.value);
      length += pair.length;
      pairs += 1;
      continue;
    }
    if (digit === null || (run === '' && at.key(length) === 'o' && !leadsDigits(at))) break;
    if (run === '' && at.key(length) === 'oh' && digitOf(at.key(1)) === null) break;
    if (!/^\d$/u.test(at.key(length))) spelled += 1;
    run += digit;
    length += 1;
  }
  if (run.length < DIGITS_MIN || spelled === 0 || (pairs > 0 && ![7, 10, 11].includes(run.length))) return null;
  // The last digit may begin a number of its own: "call five five five two hundred".
  const next = joined(at, length) ? at.key(length) : '';
  if (/^(?:hundred|thousand|million|percent|point|thirds?|halves|quarters?)$/u.test(next)) return null;
  const counting =
    [...run].every((digit, n) => n === 0 || Number(digit) === Number(run[n - 1]) + 1) && /^[01]/u.test(run);
  const down = [...run].every((digit, n) => n === 0 || Number(digit) === Number(run[n - 1]) - 1);
  if (counting || down) {
    let context = false;
    for (let n = 1; n <= 6; n++) context ||= COUNTING_CONTEXT.has(at.key(-n));
    if (!context) return { take: length, put: at.span(0, length), reason: 'counting stays in words' };
  }
  return change(at, length, digitRun(run), 'digits said one by one');
};

/** "one six eight", "one sixty eight", "o", "twelve": one part of a dotted number. */
const readDottedPart = (at: Cursor, from: number): { text: string; length: number } | null => {
  let text = '';
  let length = 0;
  while (length === 0 || joined(at, from + length)) {
    const times = DOUBLES.get(at.key(from + length));
    const doubled = times !== undefined && joined(at, from + length + 1) ? digitOf(at.key(from + length + 1)) : null;
    if (doubled !== null) {
      text += doubled.repeat(times!);
      length += 2;
      continue;
    }
    const digit = digitOf(at.key(from + length));
    const number = digit === null ? readNumber(at, from + length) : readNumber(at, from);
    // "two hundred dot": the digit begins a larger number.
    if (digit !== null && length === 0 && number && number.length > 1 && number.value >= 100)
      return { text: String(number.value), length: number.length };
    if (digit !== null) {
      text += digit;
      length += 1;
    } else if (number?.kind === 'cardinal' && Number.isInteger(number.value) && (text === '' || number.value < 100)) {
      text += String(number.value);
      length += number.length;
    } else break;
  }
  return text === '' ? null : { text, length };
};

const INTERNATIONAL_DIGITS_MIN = 6;

/** "plus forty four seven seven double oh …": a telephone number with its country. */
export const international: Rule = (at) => {
  if (at.key(0) !== 'plus' || !joined(at, 1) || isNumberKey(at.key(-1))) return null;
  const country = digitOf(at.key(1)) === null ? readNumber(at, 1) : null;
  if (country && (country.kind !== 'cardinal' || !country.spelled || country.value > 999)) return null;
  let length = 1 + (country?.length ?? 0);
  let run = '';
  let hasHundred = false;
  while (joined(at, length)) {
    const times = DOUBLES.get(at.key(length));
    const digit = digitOf(at.key(times === undefined ? length : length + 1));
    const pair = digit === null && times === undefined ? readNumber(at, length) : null;
    if (digit !== null) run += digit.repeat(times ?? 1);
    else if (at.key(length) === 'hundred') hasHundred = true;
    else if (pair?.kind === 'cardinal' && pair.spelled && pair.value < 1000) run += String(pair.value);
    else break;
    length += pair?.length ?? (times === undefined ? 1 : 2);
  }
  if (run.length < INTERNATIONAL_DIGITS_MIN) return null;
  // "nine hundred one two three": 900123, or 901 and more digits.
  if (hasHundred)
    return { take: length, put: at.span(0, length), reason: 'a telephone number that can be read in two ways' };
  const text = country ? `+${country.value} ${run}` : `+${run}`;
  return change(at, length, text, 'a telephone number with its country');
};

const VERSIONED = words('version release python java node http ios android v');

/** "one nine two dot one six eight dot one dot one", "version two dot zero": numbers with dots between them. */
export const dotted: Rule = (at) => {
  if (isInsideRun(at)) return null;
  let text = '';
  let length = 0;
  let dots = 0;
  for (;;) {
    const part = readDottedPart(at, length);
    if (!part) return null;
    text += part.text;
    length += part.length;
    if (!joined(at, length) || at.key(length) !== 'dot' || !joined(at, length + 1)) break;
    const after = at.key(length + 1);
    if (!isNumberKey(after) && digitOf(after) === null && !DOUBLES.has(after)) break;
    text += '.';
    dots += 1;
    length += 1;
  }
  return dots >= 2 || (dots === 1 && VERSIONED.has(at.key(-1)))
    ? change(at, length, text, 'numbers with dots between them')
    : null;
};
