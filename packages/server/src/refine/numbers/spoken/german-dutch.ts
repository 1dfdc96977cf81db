// Number words of German and Dutch: the digit before the tens, all of it one word.
import { words } from '../../languages/entry.ts';
import { type Grammar, type Lexicon, partsFrom } from './lexicon.ts';

const GRAMMAR: Grammar = {
  digitFirst: true,
  tensJoint: 'never',
  jointAfterHundred: true,
  jointAfterScale: true,
  countsByTwenty: false,
  hundredsHeadMax: 99,
};

export const german: Lexicon = {
  code: 'de',
  compound: true,
  elided: new Map(),
  articles: words('ein eine'),
  grammar: GRAMMAR,
  decimalMarks: new Map([['komma', ',']]),
  digitsInRuns: new Map(),
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
  ordinals: {
    words: new Map(
      ['erste', 'dritte', 'siebte', 'achte'].flatMap((word, n): [string, number][] =>
        ['', 'n', 'r', 's', 'm'].map((ending) => [word + ending, [1, 3, 7, 8][n]!]),
      ),
    ),
    endings: ['sten', 'ster', 'stes', 'stem', 'ste', 'ten', 'ter', 'tes', 'tem', 'te'],
  },
};

export const dutch: Lexicon = {
  code: 'nl',
  compound: true,
  elided: new Map(),
  articles: words('een'),
  grammar: GRAMMAR,
  decimalMarks: new Map([['komma', ',']]),
  digitsInRuns: new Map(),
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
  ordinals: {
    words: new Map([
      ['eerste', 1],
      ['derde', 3],
      ['achtste', 8],
    ]),
    endings: ['ste', 'de'],
  },
};
