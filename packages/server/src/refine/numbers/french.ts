// French numbers: their words and how they are written.
import { phrases, words } from '../words.ts';
import { twoDigits } from './format.ts';
import { type NumberLanguage, partsFrom } from './number-language.ts';
import { ROMANCE } from './romance.ts';

export const frenchNumbers: NumberLanguage = {
  code: 'fr',
  grammar: { ...ROMANCE, tensJoint: 'french', countsByTwenty: true, hundredsHeadMax: 19 },
  compound: false,
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'zéro|zero un|une deux trois quatre cinq six sept huit neuf'),
    ...partsFrom('teen', 10, 1, 'dix onze douze treize quatorze quinze seize'),
    ...partsFrom('tens', 20, 10, 'vingt|vingts trente quarante cinquante soixante'),
    // Belgium and Switzerland.
    ...partsFrom('tens', 70, 10, 'septante huitante|octante nonante'),
    ...partsFrom('hundred', 100, 0, 'cent|cents'),
    ...partsFrom('scale', 1e3, 0, 'mille|mil'),
    ...partsFrom('scale', 1e6, 0, 'million|millions'),
    ...partsFrom('scale', 1e9, 0, 'milliard|milliards'),
    ...partsFrom('scale', 1e12, 0, 'billion|billions'),
    ...partsFrom('and', 0, 0, 'et'),
  ]),
  elided: new Map(),
  articles: words('un une'),
  digitsInRuns: new Map(),
  decimalMarks: new Map([['virgule', ',']]),
  ordinals: new Map([
    ['premier', 1],
    ['première', 1],
    ['deuxième', 2],
    ['troisième', 3],
    ['quatrième', 4],
    ['cinquième', 5],
    ['neuvième', 9],
  ]),
  ordinalEndings: ['ième'],
  droppedVowels: 'eiao',
  percent: phrases('pour cent, pourcent'),
  percentSign: ' %',
  units: words(
    'kilomètres mètres centimètres millimètres kilos kilogrammes grammes milligrammes litres millilitres degrés tonnes',
  ),
  currencies: words('euro euros dollar dollars francs livres'),
  cents: words('centime centimes cents'),
  centsJoints: words('et'),
  unnamedCentsJoint: null,
  unitJoint: 'de',
  dayJoint: null,
  firstDay: '1er',
  rangeJoints: words('à ou'),
  clock: {
    word: 'heures',
    before: words("à vers avant après dès jusqu'à"),
    write: (hour, minutes) => (minutes === null ? `${hour} heures` : `${hour} h ${twoDigits(minutes)}`),
  },
  yearBefore: words("en l'année depuis"),
  yearPairs: false,
  plus: 'plus',
};
