// Numbers of the other languages in written form, only where a percent sign, a unit, a date or a clock makes them certain.

import type { Language } from '../language.ts';
import { words } from '../languages/entry.ts';
import type { Change, Cursor, Rule } from '../rewrite.ts';
import { merge } from '../token.ts';
import { numeralsOf, readOtherLanguage } from './other-languages.ts';
import { twoDigits } from './write.ts';

interface Forms {
  /** The words for percent, and how the sign is set. */
  readonly percent: readonly string[];
  readonly percentSign: string;
  readonly units: ReadonlySet<string>;
  /** The word between day and month. */
  readonly dayJoint: string | null;
  /** The clock word, what must stand before the hour, and how the time is written. */
  readonly clock: { word: string; before: RegExp; write: (hour: number, minutes: number | null) => string } | null;
  readonly decimalWord: string;
}

const metric = (list: string) => words(`euro euros dollar dollars ${list}`);
const FORMS: Readonly<Record<string, Forms>> = {
  de: {
    percent: ['prozent'],
    percentSign: ' %',
    decimalWord: 'komma',
    dayJoint: null,
    units: metric('kilometer meter zentimeter millimeter kilo kilogramm gramm milligramm liter milliliter grad cent'),
    clock: {
      word: 'uhr',
      before: /./u,
      write: (hour, minutes) => (minutes === null ? `${hour} Uhr` : `${hour}:${twoDigits(minutes)} Uhr`),
    },
  },
  nl: {
    percent: ['procent'],
    percentSign: '%',
    decimalWord: 'komma',
    dayJoint: null,
    units: metric('kilometer meter centimeter millimeter kilo kilogram gram milligram liter milliliter graden cent'),
    clock: {
      word: 'uur',
      before: /^(?:om|tot|vanaf|rond|tegen)$/u,
      write: (hour, minutes) => (minutes === null ? `${hour} uur` : `${hour}.${twoDigits(minutes)} uur`),
    },
  },
  es: {
    percent: ['por ciento'],
    percentSign: ' %',
    decimalWord: 'coma',
    dayJoint: 'de',
    clock: null,
    units: metric(
      'kilómetros metros centímetros milímetros kilos kilogramos gramos miligramos litros mililitros grados céntimos centavos',
    ),
  },
  fr: {
    percent: ['pour cent', 'pourcent'],
    percentSign: ' %',
    decimalWord: 'virgule',
    dayJoint: null,
    units: metric(
      'kilomètres mètres centimètres millimètres kilos kilogrammes grammes milligrammes litres millilitres degrés centimes',
    ),
    clock: {
      word: 'heures',
      before: /^(?:à|vers|avant|après|dès|jusqu'à)$/u,
      write: (hour, minutes) => (minutes === null ? `${hour} heures` : `${hour} h ${twoDigits(minutes)}`),
    },
  },
  it: {
    percent: ['per cento', 'percento'],
    percentSign: '%',
    decimalWord: 'virgola',
    dayJoint: null,
    clock: null,
    units: metric(
      'chilometri metri centimetri millimetri chili chilogrammi grammi milligrammi litri millilitri gradi centesimi',
    ),
  },
  pt: {
    percent: ['por cento'],
    percentSign: '%',
    decimalWord: 'vírgula',
    dayJoint: 'de',
    clock: null,
    units: metric(
      'quilômetros quilómetros metros centímetros milímetros quilos quilogramas gramas miligramas litros mililitros graus centavos reais cêntimos',
    ),
  },
};

const GERMAN_ORDINALS = new Map(
  'ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften dreizehnten vierzehnten fünfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten einundzwanzigsten zweiundzwanzigsten dreiundzwanzigsten vierundzwanzigsten fünfundzwanzigsten sechsundzwanzigsten siebenundzwanzigsten achtundzwanzigsten neunundzwanzigsten dreißigsten einunddreißigsten'
    .split(' ')
    .flatMap(
      (word, n) =>
        [
          [word, n + 1],
          [word.slice(0, -1), n + 1],
          [`${word.slice(0, -1)}r`, n + 1],
        ] as [string, number][],
    ),
);

const open = (at: Cursor, n: number): boolean =>
  at.ahead(n - 1)?.trail === '' && at.ahead(n) !== undefined && !at.ahead(n)!.gap.includes('\n');
const put = (at: Cursor, length: number, core: string, reason: string): Change => ({
  take: length,
  put: [merge(at.span(0, length), core)],
  reason,
});

/** "drei Komma fünf" */
const readDecimal = (
  at: Cursor,
  language: Language,
  forms: Forms,
): { text: string; length: number; spelled: boolean } | null => {
  const whole = readOtherLanguage(at, 0, language.code);
  if (!whole) return null;
  const plain = { text: String(whole.value).replace('.', ','), length: whole.length, spelled: whole.spelled };
  if (!open(at, whole.length) || at.key(whole.length) !== forms.decimalWord || !open(at, whole.length + 1))
    return plain;
  const tail = readOtherLanguage(at, whole.length + 1, language.code);
  return tail && tail.value < 100
    ? { text: `${whole.value},${tail.value}`, length: whole.length + 1 + tail.length, spelled: true }
    : plain;
};

const measured =
  (language: Language, forms: Forms): Rule =>
  (at) => {
    const sum = readDecimal(at, language, forms);
    if (!sum || !open(at, sum.length)) return null;
    for (const phrase of forms.percent) {
      const parts = phrase.split(' ');
      if (
        parts.every((part, n) => at.key(sum.length + n) === part) &&
        at.span(sum.length, sum.length + parts.length - 1).every((token) => token.trail === '')
      ) {
        return put(at, sum.length + parts.length, sum.text + forms.percentSign, 'a percentage');
      }
    }
    return forms.units.has(at.key(sum.length)) && sum.spelled
      ? put(at, sum.length, sum.text, 'a measure in digits')
      : null;
  };

const clock =
  (language: Language, forms: Forms): Rule =>
  (at) => {
    const hour = readOtherLanguage(at, 0, language.code);
    if (
      !forms.clock ||
      !hour ||
      hour.value > 24 ||
      !open(at, hour.length) ||
      at.key(hour.length) !== forms.clock.word ||
      !forms.clock.before.test(at.key(-1))
    )
      return null;
    const minutes = open(at, hour.length + 1) ? readOtherLanguage(at, hour.length + 1, language.code) : null;
    const timed = minutes !== null && minutes.value > 0 && minutes.value < 60 ? minutes : null;
    if (!hour.spelled && !timed?.spelled) return null;
    return put(
      at,
      hour.length + 1 + (timed?.length ?? 0),
      forms.clock.write(hour.value, timed?.value ?? null),
      'a time of day',
    );
  };

const date =
  (language: Language, forms: Forms): Rule =>
  (at) => {
    if (language.code === 'de') {
      const day = GERMAN_ORDINALS.get(at.key(0));
      if (day !== undefined && open(at, 1) && language.months.has(at.key(1)))
        return put(at, 1, `${day}.`, 'a date in digits');
      return null;
    }
    const first = language.code === 'fr' && at.key(0) === 'premier';
    const day = first ? { value: 1, length: 1, spelled: true } : readOtherLanguage(at, 0, language.code);
    if (!day?.spelled || day.value < 1 || day.value > 31 || !open(at, day.length)) return null;
    const joint = forms.dayJoint === null ? 0 : at.key(day.length) === forms.dayJoint ? 1 : -1;
    if (joint < 0 || !language.months.has(at.key(day.length + joint))) return null;
    return put(at, day.length, first ? '1er' : String(day.value), 'a date in digits');
  };

const YEARS_FROM = 1100;
const year =
  (language: Language): Rule =>
  (at) => {
    const read = readOtherLanguage(at, 0, language.code);
    const dated =
      /^(?:jahr|jahre|seit|ab|bis|von|en|año|de|desde|l'année|depuis|nel|anno|dal|em|ano|in|jaar|sinds)$/u.test(
        at.key(-1),
      ) || language.months.has(at.key(-1));
    return read?.spelled && read.value >= YEARS_FROM && read.value < 2100 && dated
      ? put(at, read.length, String(read.value), 'a year in digits')
      : null;
  };

const DIGITS_MIN = 5;
const digits =
  (language: Language): Rule =>
  (at) => {
    const values = numeralsOf(language.code)!.values;
    const ones = new Map([
      ['un', 1],
      ['um', 1],
      ['uno', 1],
      ['eins', 1],
      ['een', 1],
      ['één', 1],
      ['una', 1],
    ]);
    const before = at.behind(1);
    if (before && before.trail === '' && (values.get(before.key) ?? 10) < 10) return null;
    let run = '';
    let length = 0;
    while (at.ahead(length) && (length === 0 || open(at, length))) {
      const value =
        values.get(at.key(length)) ??
        ones.get(at.key(length)) ??
        (/^\d$/u.test(at.key(length)) ? Number(at.key(length)) : undefined);
      if (value === undefined || value > 9) break;
      run += value;
      length += 1;
    }
    const counting = [...run].every((digit, n) => n === 0 || Number(digit) === Number(run[n - 1]) + 1);
    return run.length >= DIGITS_MIN && !counting ? put(at, length, run, 'digits said one by one') : null;
  };

export const otherLanguageForms = (language: Language): readonly Rule[] => {
  const forms = FORMS[language.code];
  return forms
    ? [date(language, forms), clock(language, forms), digits(language), measured(language, forms), year(language)]
    : [];
};
