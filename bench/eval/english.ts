// Unifies spellings of the same English words: contractions, titles, British and American forms.

const WORD = '[\\p{L}\\p{N}_]';
const EDGE = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;

/** A pattern in which `\w` and `\b` cover the letters of all scripts. */
export const wordPattern = (source: string): RegExp =>
  new RegExp(source.replaceAll('\\w', WORD).replaceAll('\\b', EDGE), 'gu');

const RULES: readonly (readonly [string, string])[] = [
  ["\\b(can|do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|might|ai)n't\\b", '$1 not'],
  ["\\bcan't\\b|\\bcannot\\b", 'can not'],
  ["\\bwon't\\b", 'will not'],
  ["\\bshan't\\b", 'shall not'],
  ["\\blet's\\b", 'let us'],
  ["\\by'all\\b", 'you all'],
  ["'em\\b", 'them'],
  ["'cause\\b|\\bcuz\\b", 'because'],
  ["\\b(it|he|she|that|this|what|there|here|who|where|how|when|why|everything|something|nothing)'s\\b", '$1 is'],
  ["(\\w)'re\\b|\\b(you|we|they) re\\b", '$1$2 are'],
  ["(\\w)'ll\\b|\\b(i|you|we|they|he|she|it) ll\\b", '$1$2 will'],
  ["(\\w)'ve\\b|\\b(i|you|we|they) ve\\b", '$1$2 have'],
  ["\\bi'm\\b", 'i am'],
  ["(\\w)'d\\b", '$1 would'],
  ['\\bgonna\\b', 'going to'],
  ['\\bwanna\\b', 'want to'],
  ['\\bgotta\\b', 'got to'],
  ['\\b(kind|sort)a\\b', '$1 of'],
  ['\\blemme\\b', 'let me'],
  ['\\bgimme\\b', 'give me'],
  ['\\balright\\b', 'all right'],
  ['\\bokay\\b', 'ok'],
  ['\\bmister\\b', 'mr'],
  ['\\bmissus\\b', 'mrs'],
  ['\\bdoctor\\b', 'dr'],
  ['\\bsaint\\b', 'st'],
  ['\\bprofessor\\b', 'prof'],
  ['\\bcaptain\\b', 'capt'],
  ['\\bjunior\\b', 'jr'],
  ['\\bsenior\\b', 'sr'],
  ['\\bversus\\b', 'vs'],
  ['\\bper cent\\b', 'percent'],
  ['\\bpractis', 'practic'],
  ['\\b(\\w{2,})our(s|ed|ing|ite|ites|able|ful|hood|er|ers)?\\b', '$1or$2'],
  ['\\b(\\w+)is(e|es|ed|ing|ation|ations)\\b', '$1iz$2'],
  ['\\b(\\w+)ys(e|es|ed|ing)\\b', '$1yz$2'],
  ['\\b(cent|theat|met|kilomet|lit|fib|somb|spect)re(s?)\\b', '$1er$2'],
  ['\\bcentred\\b', 'centered'],
  ['\\b(travel|cancel|label|model|level|signal|quarrel|marvel|counsel|jewel|fuel)l(ed|ing|er|ers|ery)\\b', '$1$2'],
  ['\\b(def|off|lic)ence(s?)\\b', '$1ense$2'],
  ['\\bgrey(\\w*)', 'gray$1'],
  ['\\bprogramme(s?)\\b', 'program$1'],
  ['\\bcheque(s?)\\b', 'check$1'],
  ['\\bplough(\\w*)', 'plow$1'],
  ['\\b(catal|dial|monol)ogue(s?)\\b', '$1og$2'],
  ['\\b(judg|acknowledg)ement', '$1ment'],
  ['\\b(skil|wil)ful', '$1lful'],
  ['\\b(toward|afterward|backward|forward|upward)s\\b', '$1'],
  ['\\bsceptic', 'skeptic'],
  ['\\btyre(s?)\\b', 'tire$1'],
];

const COMPILED = RULES.map(([pattern, to]) => [wordPattern(pattern), to] as const);

export const unifySpelling = (text: string): string =>
  COMPILED.reduce((changed, [pattern, to]) => changed.replace(pattern, to), text);
