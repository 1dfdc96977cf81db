// Dutch numbers: their words and how they are written.
import { phrases, words } from '../words.ts';
import { twoDigits } from './format.ts';
import { GERMANIC } from './germanic.ts';
import { type NumberLanguage, partsFrom } from './number-language.ts';

export const dutchNumbers: NumberLanguage = {
  code: 'nl',
  grammar: GERMANIC,
  compound: true,
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'nul een|één|eén|èèn twee drie vier vijf zes zeven acht negen'),
    ...partsFrom('teen', 10, 1, 'tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien'),
    ...partsFrom('tens', 20, 10, 'twintig dertig veertig vijftig zestig zeventig tachtig negentig'),
    ...partsFrom('hundred', 100, 0, 'honderd'),
    ...partsFrom('scale', 1e3, 0, 'duizend'),
    ...partsFrom('scale', 1e6, 0, 'miljoen'),
    ...partsFrom('scale', 1e9, 0, 'miljard'),
    ...partsFrom('scale', 1e12, 0, 'biljoen'),
    ...partsFrom('and', 0, 0, 'en|ën'),
  ]),
  elided: new Map(),
  articles: words('een'),
  digitsInRuns: new Map(),
  decimalMarks: new Map([['komma', ',']]),
  ordinals: new Map([
    ['eerste', 1],
    ['derde', 3],
    ['achtste', 8],
  ]),
  ordinalEndings: ['ste', 'de'],
  droppedVowels: '',
  percent: phrases('procent'),
  percentSign: '%',
  units: words('kilometer meter centimeter millimeter kilo kilogram gram milligram liter milliliter graden ton'),
  currencies: words('euro dollar dollars pond'),
  cents: words('cent cents'),
  centsJoints: words('en'),
  unnamedCentsJoint: null,
  unitJoint: null,
  dayJoint: null,
  firstDay: '1',
  rangeJoints: words('tot à of'),
  clock: {
    word: 'uur',
    before: words('om tot vanaf rond tegen'),
    write: (hour, minutes) => (minutes === null ? `${hour} uur` : `${hour}.${twoDigits(minutes)} uur`),
  },
  yearBefore: words('in jaar sinds'),
  yearPairs: true,
  plus: 'plus',
};
