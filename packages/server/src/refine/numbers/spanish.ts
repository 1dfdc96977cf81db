// Spanish numbers: their words and how they are written.
import { phrases, words } from '../words.ts';
import { type NumberLanguage, partsFrom } from './number-language.ts';
import { bothGenders, ordinalsOf, ROMANCE } from './romance.ts';

export const spanishNumbers: NumberLanguage = {
  code: 'es',
  grammar: ROMANCE,
  compound: false,
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'cero uno|un|una dos tres cuatro cinco seis siete ocho nueve'),
    // "veinte" takes no digit: twenty-five is "veinticinco", so "veinte y cinco" may be two numbers.
    ...partsFrom(
      'teen',
      10,
      1,
      'diez once doce trece catorce quince dieciséis|dieciseis diecisiete dieciocho diecinueve veinte',
    ),
    ...partsFrom(
      'pair',
      21,
      1,
      `veintiuno|veintiún|veintiun|veintiuna veintidós|veintidos veintitrés|veintitres veinticuatro veinticinco
      veintiséis|veintiseis veintisiete veintiocho veintinueve`,
    ),
    ...partsFrom('tens', 30, 10, 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
    ...partsFrom('round hundred', 100, 0, 'cien'),
    ...partsFrom(
      'hundreds',
      100,
      100,
      `ciento ${bothGenders('doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos')}`,
    ),
    ...partsFrom('scale', 1e3, 0, 'mil'),
    ...partsFrom('scale', 1e6, 0, 'millón|millon|millones'),
    ...partsFrom('scale', 1e9, 0, 'millardo|millardos'),
    ...partsFrom('scale', 1e12, 0, 'billón|billon|billones'),
    ...partsFrom('and', 0, 0, 'y'),
  ]),
  elided: new Map(),
  articles: words('un una uno'),
  digitsInRuns: new Map(),
  decimalMarks: new Map([
    ['coma', ','],
    ['punto', '.'],
  ]),
  ordinals: ordinalsOf('primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo'),
  ordinalEndings: [],
  droppedVowels: '',
  percent: phrases('por ciento'),
  percentSign: ' %',
  units: words(
    'kilómetros metros centímetros milímetros kilos kilogramos gramos miligramos litros mililitros grados toneladas',
  ),
  currencies: words('euro euros dólar dólares dollars pesos libras soles'),
  cents: words('céntimo céntimos centavo centavos'),
  centsJoints: words('y con'),
  unnamedCentsJoint: 'con',
  unitJoint: 'de',
  dayJoint: 'de',
  firstDay: '1',
  rangeJoints: words('a o'),
  clock: null,
  yearBefore: words('en año de del desde'),
  yearPairs: false,
  plus: 'más',
};
