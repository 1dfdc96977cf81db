// How the languages other than English write numbers: their units, currencies, percent signs, dates and clocks.
import { words } from '../languages/entry.ts';
import { twoDigits } from './write.ts';

export interface Clock {
  readonly word: string;
  /** What must stand before the hour. */
  readonly before: RegExp;
  readonly write: (hour: number, minutes: number | null) => string;
}

export interface NumberStyle {
  /** The words for percent, and how the sign is set. */
  readonly percent: readonly string[];
  readonly percentSign: string;
  readonly units: ReadonlySet<string>;
  /** Currencies that have cents, and the words for these. */
  readonly currencies: ReadonlySet<string>;
  readonly cents: ReadonlySet<string>;
  /** What may stand between the currency and the cents. */
  readonly centsJoints: ReadonlySet<string>;
  /** "2 millones de euros" */
  readonly unitJoint: string | null;
  /** The word between day and month. */
  readonly dayJoint: string | null;
  /** How the first of a month is written. */
  readonly firstDay: string;
  readonly rangeJoints: ReadonlySet<string>;
  readonly clock: Clock | null;
  /** Words that date the number after them. */
  readonly yearBefore: ReadonlySet<string>;
  /** "neunzehn achtzig": years are said in pairs. */
  readonly yearPairs: boolean;
  readonly plus: string;
}

export const NUMBER_STYLES: Readonly<Record<string, NumberStyle>> = {
  de: {
    percent: ['prozent'],
    percentSign: ' %',
    units: words('kilometer meter zentimeter millimeter kilo kilogramm gramm milligramm liter milliliter grad tonnen'),
    currencies: words('euro euros dollar dollars pfund franken'),
    cents: words('cent cents rappen pence'),
    centsJoints: words('und'),
    unitJoint: null,
    dayJoint: null,
    firstDay: '1.',
    rangeJoints: words('bis oder'),
    clock: {
      word: 'uhr',
      before: /./u,
      write: (hour, minutes) => (minutes === null ? `${hour} Uhr` : `${hour}:${twoDigits(minutes)} Uhr`),
    },
    yearBefore: words('jahr jahre seit ab bis von in'),
    yearPairs: true,
    plus: 'plus',
  },
  nl: {
    percent: ['procent'],
    percentSign: '%',
    units: words('kilometer meter centimeter millimeter kilo kilogram gram milligram liter milliliter graden ton'),
    currencies: words('euro dollar dollars pond'),
    cents: words('cent cents'),
    centsJoints: words('en'),
    unitJoint: null,
    dayJoint: null,
    firstDay: '1',
    rangeJoints: words('tot à of'),
    clock: {
      word: 'uur',
      before: /^(?:om|tot|vanaf|rond|tegen)$/u,
      write: (hour, minutes) => (minutes === null ? `${hour} uur` : `${hour}.${twoDigits(minutes)} uur`),
    },
    yearBefore: words('in jaar sinds'),
    yearPairs: true,
    plus: 'plus',
  },
  es: {
    percent: ['por ciento'],
    percentSign: ' %',
    units: words(
      'kilómetros metros centímetros milímetros kilos kilogramos gramos miligramos litros mililitros grados toneladas',
    ),
    currencies: words('euro euros dólar dólares dollars pesos libras soles'),
    cents: words('céntimo céntimos centavo centavos'),
    centsJoints: words('y con'),
    unitJoint: 'de',
    dayJoint: 'de',
    firstDay: '1',
    rangeJoints: words('a o'),
    clock: null,
    yearBefore: words('en año de del desde'),
    yearPairs: false,
    plus: 'más',
  },
  fr: {
    percent: ['pour cent', 'pourcent'],
    percentSign: ' %',
    units: words(
      'kilomètres mètres centimètres millimètres kilos kilogrammes grammes milligrammes litres millilitres degrés tonnes',
    ),
    currencies: words('euro euros dollar dollars francs livres'),
    cents: words('centime centimes cents'),
    centsJoints: words('et'),
    unitJoint: 'de',
    dayJoint: null,
    firstDay: '1er',
    rangeJoints: words('à ou'),
    clock: {
      word: 'heures',
      before: /^(?:à|vers|avant|après|dès|jusqu'à)$/u,
      write: (hour, minutes) => (minutes === null ? `${hour} heures` : `${hour} h ${twoDigits(minutes)}`),
    },
    yearBefore: words("en l'année depuis"),
    yearPairs: false,
    plus: 'plus',
  },
  it: {
    percent: ['per cento', 'percento'],
    percentSign: '%',
    units: words(
      'chilometri metri centimetri millimetri chili chilogrammi grammi milligrammi litri millilitri gradi tonnellate',
    ),
    currencies: words('euro euros dollari sterline franchi'),
    cents: words('centesimo centesimi cent'),
    centsJoints: words('e'),
    unitJoint: 'di',
    dayJoint: null,
    firstDay: '1º',
    rangeJoints: words('a o'),
    clock: null,
    yearBefore: words('nel anno dal del'),
    yearPairs: false,
    plus: 'più',
  },
  pt: {
    percent: ['por cento'],
    percentSign: '%',
    units: words(
      'quilômetros quilómetros metros centímetros milímetros quilos quilogramas gramas miligramas litros mililitros graus toneladas',
    ),
    currencies: words('euro euros dólar dólares reais libras'),
    cents: words('centavo centavos cêntimo cêntimos'),
    centsJoints: words('e'),
    unitJoint: 'de',
    dayJoint: 'de',
    firstDay: '1º',
    rangeJoints: words('a ou'),
    clock: null,
    yearBefore: words('em ano de desde'),
    yearPairs: false,
    plus: 'mais',
  },
};
