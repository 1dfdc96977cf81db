// Italian numbers: their words and how they are written.
import { phrases, words } from '../words.ts';
import { type NumberLanguage, partsFrom } from './number-language.ts';
import { ordinalsOf, ROMANCE } from './romance.ts';

export const italianNumbers: NumberLanguage = {
  code: 'it',
  grammar: { ...ROMANCE, tensJoint: 'never', jointAfterHundred: true, jointAfterScale: true },
  compound: true,
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'zero uno|un|una due tre|tré quattro cinque sei sette otto nove'),
    ...partsFrom(
      'teen',
      10,
      1,
      'dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
    ),
    ...partsFrom('tens', 20, 10, 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta'),
    ...partsFrom('hundred', 100, 0, 'cento'),
    ...partsFrom('scale', 1e3, 0, 'mila|mille'),
    ...partsFrom('scale', 1e6, 0, 'milione|milioni'),
    ...partsFrom('scale', 1e9, 0, 'miliardo|miliardi'),
    ...partsFrom('scale', 1e12, 0, 'bilione|bilioni'),
    ...partsFrom('and', 0, 0, 'e'),
  ]),
  // The last vowel is dropped before "uno" and "otto".
  elided: new Map([
    ...partsFrom('tens', 20, 10, 'vent trent quarant cinquant sessant settant ottant novant'),
    ...partsFrom('hundred', 100, 0, 'cent'),
  ]),
  articles: words('un una uno'),
  digitsInRuns: new Map(),
  decimalMarks: new Map([['virgola', ',']]),
  ordinals: ordinalsOf('primo secondo terzo quarto quinto sesto settimo ottavo nono decimo'),
  ordinalEndings: ['esimo', 'esima'],
  droppedVowels: 'eiao',
  percent: phrases('per cento, percento'),
  percentSign: '%',
  units: words(
    'chilometri metri centimetri millimetri chili chilogrammi grammi milligrammi litri millilitri gradi tonnellate',
  ),
  currencies: words('euro euros dollari sterline franchi'),
  cents: words('centesimo centesimi cent'),
  centsJoints: words('e'),
  unnamedCentsJoint: 'e',
  unitJoint: 'di',
  dayJoint: null,
  firstDay: '1º',
  rangeJoints: words('a o'),
  clock: null,
  yearBefore: words('nel anno dal del'),
  yearPairs: false,
  plus: 'più',
};
