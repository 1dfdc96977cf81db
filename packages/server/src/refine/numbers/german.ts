// German numbers: their words and how they are written.
import { phrases, words } from '../words.ts';
import { twoDigits } from './format.ts';
import { GERMANIC } from './germanic.ts';
import { type NumberLanguage, partsFrom } from './number-language.ts';

const IRREGULAR_ORDINALS: ReadonlyMap<string, number> = new Map([
  ['erste', 1],
  ['dritte', 3],
  ['siebte', 7],
  ['achte', 8],
]);

export const germanNumbers: NumberLanguage = {
  code: 'de',
  grammar: GERMANIC,
  compound: true,
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'null eins|ein|eine zwei|zwo drei vier fünf|fuenf sechs sieben acht neun'),
    ...partsFrom(
      'teen',
      10,
      1,
      'zehn elf zwölf|zwoelf dreizehn vierzehn fünfzehn|fuenfzehn sechzehn siebzehn achtzehn neunzehn',
    ),
    ...partsFrom('tens', 20, 10, 'zwanzig dreißig|dreissig vierzig fünfzig|fuenfzig sechzig siebzig achtzig neunzig'),
    ...partsFrom('hundred', 100, 0, 'hundert'),
    ...partsFrom('scale', 1e3, 0, 'tausend'),
    ...partsFrom('scale', 1e6, 0, 'million|millionen'),
    ...partsFrom('scale', 1e9, 0, 'milliarde|milliarden'),
    ...partsFrom('scale', 1e12, 0, 'billion|billionen'),
    ...partsFrom('and', 0, 0, 'und'),
  ]),
  elided: new Map(),
  articles: words('ein eine'),
  digitsInRuns: new Map(),
  decimalMarks: new Map([['komma', ',']]),
  ordinals: new Map(
    [...IRREGULAR_ORDINALS].flatMap(([word, value]) =>
      ['', 'n', 'r', 's', 'm'].map((ending): [string, number] => [word + ending, value]),
    ),
  ),
  ordinalEndings: ['sten', 'ster', 'stes', 'stem', 'ste', 'ten', 'ter', 'tes', 'tem', 'te'],
  droppedVowels: '',
  percent: phrases('prozent'),
  percentSign: ' %',
  units: words('kilometer meter zentimeter millimeter kilo kilogramm gramm milligramm liter milliliter grad tonnen'),
  currencies: words('euro euros dollar dollars pfund franken'),
  cents: words('cent cents rappen pence'),
  centsJoints: words('und'),
  unnamedCentsJoint: null,
  unitJoint: null,
  dayJoint: null,
  firstDay: '1.',
  rangeJoints: words('bis oder'),
  clock: {
    word: 'uhr',
    before: null,
    write: (hour, minutes) => (minutes === null ? `${hour} Uhr` : `${hour}:${twoDigits(minutes)} Uhr`),
  },
  yearBefore: words('jahr jahre seit ab bis von in'),
  yearPairs: true,
  plus: 'plus',
};
