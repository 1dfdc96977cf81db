// Number words of Spanish, Portuguese, French and Italian.
import { words } from '../../languages/entry.ts';
import { type Grammar, type Lexicon, partsFrom } from './lexicon.ts';

const GRAMMAR: Grammar = {
  digitFirst: false,
  tensJoint: 'always',
  jointAfterHundred: false,
  jointAfterScale: false,
  countsByTwenty: false,
  hundredsHeadMax: 9,
};

/** The masculine and the feminine of a list of hundreds. */
const bothGenders = (list: string): string => list.replaceAll(/(\S+)os/gu, '$1os|$1as');

export const spanish: Lexicon = {
  code: 'es',
  compound: false,
  elided: new Map(),
  articles: words('un una uno'),
  grammar: GRAMMAR,
  decimalMarks: new Map([
    ['coma', ','],
    ['punto', '.'],
  ]),
  digitsInRuns: new Map(),
  parts: new Map([
    ...partsFrom('digit', 0, 1, 'cero uno|un|una dos tres cuatro cinco seis siete ocho nueve'),
    // "veinte" takes no digit: "veinte y cinco" may be two numbers, since twenty-five is "veinticinco".
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
  ordinals: {
    words: new Map(
      'primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo'
        .split(' ')
        .flatMap((word, n): [string, number][] => [
          [word, n + 1],
          [`${word.slice(0, -1)}a`, n + 1],
        ]),
    ),
    endings: [],
  },
};

export const portuguese: Lexicon = {
  code: 'pt',
  compound: false,
  elided: new Map(),
  articles: words('um uma'),
  grammar: { ...GRAMMAR, jointAfterHundred: true, jointAfterScale: true },
  decimalMarks: new Map([['vírgula', ',']]),
  digitsInRuns: new Map([['meia', 6]]),
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
    // In Brazil 10^9, in Portugal 10^12: each has its own spelling.
    ...partsFrom('scale', 1e9, 0, 'bilhão|bilhões'),
    ...partsFrom('scale', 1e12, 0, 'trilhão|trilhões|bilião|biliões'),
    ...partsFrom('and', 0, 0, 'e'),
  ]),
  ordinals: {
    words: new Map(
      'primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo'
        .split(' ')
        .flatMap((word, n): [string, number][] => [
          [word, n + 1],
          [`${word.slice(0, -1)}a`, n + 1],
        ]),
    ),
    endings: [],
  },
};

export const french: Lexicon = {
  code: 'fr',
  compound: false,
  elided: new Map(),
  articles: words('un une'),
  grammar: { ...GRAMMAR, tensJoint: 'french', countsByTwenty: true, hundredsHeadMax: 19 },
  decimalMarks: new Map([['virgule', ',']]),
  digitsInRuns: new Map(),
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
  ordinals: {
    words: new Map([
      ['premier', 1],
      ['première', 1],
      ['deuxième', 2],
      ['troisième', 3],
      ['quatrième', 4],
      ['cinquième', 5],
      ['neuvième', 9],
    ]),
    endings: ['ième'],
  },
};

export const italian: Lexicon = {
  code: 'it',
  compound: true,
  articles: words('un una uno'),
  grammar: { ...GRAMMAR, tensJoint: 'never', jointAfterHundred: true, jointAfterScale: true },
  decimalMarks: new Map([['virgola', ',']]),
  digitsInRuns: new Map(),
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
  // Without the last vowel before "uno" and "otto".
  elided: new Map([
    ...partsFrom('tens', 20, 10, 'vent trent quarant cinquant sessant settant ottant novant'),
    ...partsFrom('hundred', 100, 0, 'cent'),
  ]),
  ordinals: {
    words: new Map(
      'primo secondo terzo quarto quinto sesto settimo ottavo nono decimo'
        .split(' ')
        .flatMap((word, n): [string, number][] => [
          [word, n + 1],
          [`${word.slice(0, -1)}a`, n + 1],
        ]),
    ),
    endings: ['esimo', 'esima'],
  },
};
