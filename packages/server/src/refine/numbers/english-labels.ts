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

/** "five five five one two three four": three digits or more, one by one. */
export const digits: Rule = (at) => {
  if (isInsideRun(at)) return null;
  let run = '';
  let length = 0;
  let spelled = 0;
  let pairs = 0;
  while (at.ahead(length) && (length === 0 || joined(at, length))) {
    const times = DOUBLES.get(at.key(length));
    const repeated = times !== undefined && run !== '' && joined(at, length + 1) ? digitOf(at.key(length + 1)) : null;
    if (repeated !== null) {
      run += repeated.repeat(times!);
      length += 2;
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
    if (digit === null || (at.key(length) === 'o' && at.ahead(length)!.core === 'o' && run === '')) break;
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

const VERSIONED = words('version release python java node http ios android v');

/** "one nine two dot one six eight dot one dot one", "version two dot zero": numbers with dots between them. */
export const dotted: Rule = (at) => {
  if (isInsideRun(at)) return null;
  let text = '';
  let length = 0;
  let dots = 0;
  for (;;) {
    let part = '';
    const start = length;
    for (
      let digit = digitOf(at.key(length));
      digit !== null && (length === start ? start === 0 || joined(at, length) : joined(at, length));
      digit = digitOf(at.key(length))
    ) {
      part += digit;
      length += 1;
    }
    if (part === '') {
      const read = start === 0 || joined(at, start) ? readNumber(at, start) : null;
      if (read?.kind !== 'cardinal' || !Number.isInteger(read.value)) return null;
      part = String(read.value);
      length += read.length;
    }
    text += part;
    if (!joined(at, length) || at.key(length) !== 'dot' || !joined(at, length + 1) || !isNumberKey(at.key(length + 1)))
      break;
    text += '.';
    dots += 1;
    length += 1;
  }
  return dots >= 2 || (dots === 1 && VERSIONED.has(at.key(-1)))
    ? change(at, length, text, 'numbers with dots between them')
    : null;
};
