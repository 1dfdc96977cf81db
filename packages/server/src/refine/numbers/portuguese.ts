// Portuguese numbers: their words and how they are written.
import { phrases, words } from '../words.ts';
import { type NumberLanguage, partsFrom } from './number-language.ts';
import { bothGenders, ordinalsOf, ROMANCE } from './romance.ts';

export const portugueseNumbers: NumberLanguage = {
  code: 'pt',
  grammar: { ...ROMANCE, jointAfterHundred: true, jointAfterScale: true },
  compound: false,
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'zero um|uma dois|duas três|tres quatro cinco seis sete oito nove'),
    ...partsFrom(
      'teen',
      10,
      1,
      `dez onze doze treze catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito
      dezenove|dezanove`,
    ),
    ...partsFrom('tens', 20, 10, 'vinte trinta quarenta cinquenta|cincoenta sessenta setenta oitenta noventa'),
    ...partsFrom('round hundred', 100, 0, 'cem'),
    ...partsFrom(
      'hundreds',
      100,
      100,
      `cento ${bothGenders('duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos')}`,
    ),
    ...partsFrom('scale', 1e3, 0, 'mil'),
    ...partsFrom('scale', 1e6, 0, 'milhão|milhões'),
    // 10^9 in Brazil and 10^12 in Portugal; the spelling distinguishes them.
    ...partsFrom('scale', 1e9, 0, 'bilhão|bilhões'),
    ...partsFrom('scale', 1e12, 0, 'trilhão|trilhões|bilião|biliões'),
    ...partsFrom('and', 0, 0, 'e'),
  ]),
  elided: new Map(),
  articles: words('um uma'),
  digitsInRuns: new Map([['meia', 6]]),
  decimalMarks: new Map([['vírgula', ',']]),
  ordinals: ordinalsOf('primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo'),
  ordinalEndings: [],
  droppedVowels: '',
  percent: phrases('por cento'),
  percentSign: '%',
  units: words(
    'quilômetros quilómetros metros centímetros milímetros quilos quilogramas gramas miligramas litros mililitros graus toneladas',
  ),
  currencies: words('euro euros dólar dólares reais libras'),
  cents: words('centavo centavos cêntimo cêntimos'),
  centsJoints: words('e'),
  unnamedCentsJoint: 'e',
  unitJoint: 'de',
  dayJoint: 'de',
  firstDay: '1º',
  rangeJoints: words('a ou'),
  clock: null,
  yearBefore: words('em ano de desde'),
  yearPairs: false,
  plus: 'mais',
};
