// Stutters and repeated words or phrases, down to one; repetitions that people mean stay.

import type { Language } from '../language.ts';
import { words } from '../languages/entry.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { breaksLine, capitalised, endsSentence, isCapitalised, reword, type Token } from '../token.ts';

/** English content words said twice on purpose: emphasis, sounds, names, grammar. */
const MEANT_TWICE =
  words(`very really so too much many more far long big small little old new good bad great never always ever super way
  please no yes yeah yep nope okay ok ha haha he hee ho bye hey hello hi hush knock tick tock chop choo woof meow quack beep boom bang
  blah yada yadda la da na do re mi fa so ti row row now there here wait stop go come run hurry look listen well ooh oh wow aw aww
  had that her is was were are in on out over up down off through can will may mark bill pat walla bora duran sing pago baden
  cha gaga dada papa mama tutu bon pom yo night goodbye right sure true again fine nice same pizza extra tut there why who what
  hot cold deep hard soft fast slow quick high low close wide dark bright pretty quite truly absolutely totally completely
  monday tuesday wednesday thursday friday saturday sunday half quarter work money home holy hip wakey mumble rah ra go-go win talk hear
  one two three four five six seven eight nine ten zero oh eleven twelve twenty thirty forty fifty sixty seventy eighty ninety
  hundred thousand double triple point dot dash slash new-new test check mic maybe love dear sir`);
const COPULAS = words('is was are were do did');
const PARTICLES = words('in on up out over');
const PARTICLE_VERBS =
  words(`come came coming comes log logged logging check checked checking turn turned hand handed move moved moving go goes going went
  gone been put get got bring brought sign signed dial phone call called carry carried hold hang kick kicked fill filled
  live lived lives stay stayed tune tuned tap lock locked plug plugged give gave break broke breaking fit fits what where that it`);
const AFTER_SO = /^(?:i|we|you|they|he|she|it|the|that's|it's|i'm|we're|what|if|then|my|our|this)$/u;
const BEFORE_SUBJECT =
  /^(?:and|but|so|because|that|if|when|then|think|thought|know|well|yeah|yes|no|do|did|can|could|would|should|will|are|what|where|how|since|as|while|okay|or)$/u;
const isLetter = (key: string): boolean => /^\p{L}$/u.test(key) && key !== 'i' && key !== 'a';
const bareTrail = (token: Token): boolean => /^(?:,|-|–|—|\.{3}|…)?$/u.test(token.trail);

const isStutter = (at: Cursor, token: Token, language: Language): boolean => {
  const { key } = token;
  const hard = token.trail === ',';
  if (language.code !== 'en') return language.collapsible.has(key);
  // Laughter.
  if (key === 'he' && (at.key(2) === 'he' || at.key(-1) === 'he')) return false;
  if (key === 'so') return AFTER_SO.test(at.key(2));
  if (COPULAS.has(key)) {
    for (let n = 1; n <= 5; n++) if (/^(?:what|all|who|where|how|it|that)$/u.test(at.key(-n))) return false;
    return key !== 'do' && key !== 'did' ? true : !/^(?:i|we|you|they|he|she|it)$/u.test(at.key(-1));
  }
  // "did it it was", "for you you should": one ends a clause, the other begins the next.
  if (key === 'you' || key === 'it' || key === 'me' || key === 'them' || key === 'us')
    return at.atStart() || (!hard && BEFORE_SUBJECT.test(at.key(-1)));
  // "those who can can": the second is the verb.
  if (/^(?:can|will|may|could|would|should)$/u.test(key) && /^(?:who|that|which|what|as)$/u.test(at.key(-1)))
    return false;
  if (PARTICLES.has(key)) return !PARTICLE_VERBS.has(at.key(-1)) && (key === 'in' || key === 'on');
  if (language.collapsible.has(key)) return true;
  if (hard || MEANT_TWICE.has(key) || key.length < 3) return false;
  // "location location location": three times is meant, and at the start it may be a name.
  if (at.key(2) === key || at.key(-1) === key || at.atStart()) return false;
  // A content word: once is enough unless it may be a name.
  return !isCapitalised(token) && !isCapitalised(at.ahead(1)!) && /^[a-z']+$/u.test(key) && !key.endsWith('ly');
};

const ARTICLE_COPIES_MAX = 3;
/** Words before digits. */
const DIALLED =
  /^(?:nummer|telefon\w*|code|pin|wähl\w*|ruf\w*|bel|toets|número|teléfono|código|llam\w*|marque|numéro|téléphone|appel\w*|composez|numero|telefono|codice|chiam\w*|ligue|disque|telefone)$/u;

/** Digits, number words and spelled letters are said twice because they are there twice. */
const isCounted = (at: Cursor, n: number, code: string): boolean => {
  const key = at.key(n);
  if (isNumberWord(key, code)) return true;
  // "zéro un un deux": an article beside a number is a number.
  if (isArticleOne(key, code)) {
    let [before, after] = [n - 1, n + 1];
    while (at.key(before) === key && n - before <= ARTICLE_COPIES_MAX) before -= 1;
    while (at.key(after) === key && after - n <= ARTICLE_COPIES_MAX) after += 1;
    const beside = isNumberWord(at.key(before), code) || isNumberWord(at.key(after), code);
    // An article leads to a word; three of them are digits more often than a stutter.
    const leads = at.ahead(after) !== undefined && at.ahead(after - 1)!.trail === '';
    return beside || !leads || after - before > ARTICLE_COPIES_MAX || [1, 2, 3].some((k) => DIALLED.test(at.key(-k)));
  }
  return isLetter(key) || (/^\p{L}$/u.test(key) && (isLetter(at.key(n - 1)) || isLetter(at.key(n + 1))));
};

/** What a tagger must reach for one of two equal words to count as a slip; where none looked, the rules decide. */
const WORD_SLIP_MIN = 0.02;
const PHRASE_SLIP_MIN = 0.1;

/** A tagger looked, and found that none of these words is a slip. */
const isMeant = (tokens: readonly Token[], least: number): boolean =>
  tokens.every(({ slip }) => slip !== undefined && slip < least);

/** "LA MUSIQUE La musique souvent": a capital begins a new line after a title. */
const startsAnew = (token: Token): boolean => isCapitalised(token) && !/^i(?:'|$)/u.test(token.key);

/** The last copy stays, at the place of the first and with its capital. */
const inPlaceOf = (first: Token, last: Token): Token => ({
  ...(isCapitalised(first) && !isCapitalised(last) ? reword(last, capitalised(last.core)) : last),
  gap: first.gap,
  lead: first.lead,
});

/** "the the", "I, I, I": as many copies as there are become one. */
const word =
  (language: Language) =>
  (at: Cursor): Change | null => {
    const first = at.ahead(0)!;
    if (first.key === '' || at.key(1) !== first.key || !bareTrail(first)) return null;
    if (
      breaksLine(at.ahead(1)!) ||
      startsAnew(at.ahead(1)!) ||
      at.ahead(1)!.lead !== '' ||
      !isStutter(at, first, language)
    )
      return null;
    if (isCounted(at, 0, language.code)) return null;
    let n = 1;
    while (at.key(n) === first.key && bareTrail(at.ahead(n - 1)!)) n += 1;
    const last = at.ahead(n - 1)!;
    if (isMeant(at.span(0, n), WORD_SLIP_MIN)) return null;
    // "the the" in quotes is talked about.
    if (first.lead !== '' && /["”»'’]/u.test(last.trail)) return null;
    return { take: n, put: [inPlaceOf(first, last)], reason: 'a repeated word' };
  };

/** "b-b-but", "w- we", "th- the": the cut-off beginnings go. */
const stutter = (at: Cursor, code: string): Change | null => {
  const token = at.ahead(0)!;
  if (isNumberWord(token.key, code)) return null;
  const inside = /^(?:(\p{L}{1,2})-)+(\p{L}{2,})$/u.exec(token.core);
  if (inside) {
    const parts = token.key.split('-');
    const whole = parts.at(-1)!;
    const cut = parts.slice(0, -1);
    if (
      cut.every((part) => whole.startsWith(part)) &&
      whole.length > cut[0]!.length &&
      (cut.length > 1 || cut[0]!.length < whole.length - 1)
    ) {
      const core = token.core.slice(token.core.lastIndexOf('-') + 1);
      const cased = isCapitalised(token) ? core[0]!.toUpperCase() + core.slice(1) : core;
      if (cut.length > 1 || !/^(?:e|t|x|u)$/u.test(cut[0]!))
        return { take: 1, put: [{ ...token, core: cased, key: whole }], reason: 'a stutter' };
    }
  }
  const next = at.ahead(1);
  if (
    next &&
    /^[-–—]$/u.test(token.trail) &&
    next.key.startsWith(token.key) &&
    !breaksLine(next) &&
    token.key.length < next.key.length
  ) {
    return { take: 1, put: [], reason: 'a cut-off word said again' };
  }
  return null;
};

const PHRASE_MAX = 6;
const MEANT_PHRASES = new Set([
  'she said',
  'he said',
  'they said',
  'you said',
  'new york',
  'thank you',
  'come on',
  'will be',
  'oh my',
  'i know',
  'i do',
  'go on',
  'all right',
  'my my',
  'hear hear',
  'there there',
  'how do',
  'yeah well',
]);

/** Marching and breathing: "left right left right". */
const DIRECTIONS = words(
  'in out up down on off left right links rechts gauche droite izquierda derecha sinistra destra',
);

/** Words a phrase cannot end with: what stops there was broken off. */
const UNFINISHED =
  words(`a an the my your his her its our their this that these those to of in on at for with from by and or but so if when
  because as than is are was were be been am do does did have has had will would can could should may might must not i we you he
  she it they who which what where how like just really very`);

const same = (a: string, b: string): boolean => a === b || (a === 'a' && b === 'an') || (a === 'an' && b === 'a');

/** "I want to, I want to go": a phrase said again while the sentence goes on. */
const phrase = (at: Cursor, code: string): Change | null => {
  for (let n = PHRASE_MAX; n >= 2; n--) {
    if (!at.ahead(2 * n - 1) || !same(at.key(0), at.key(n))) continue;
    let k = 0;
    while (k < n && same(at.key(k), at.key(n + k))) k += 1;
    if (k < n) continue;
    const span = at.span(0, 2 * n);
    const inner = span.slice(0, -1);
    if (
      inner.some((token, index) => (index === n - 1 ? !bareTrail(token) : token.trail !== '')) ||
      span.slice(1).some(breaksLine)
    )
      continue;
    if (n === 2 && isMeant(span, PHRASE_SLIP_MIN)) continue;
    const keys = span.slice(0, n).map((token) => token.key);
    if (startsAnew(span[n]!)) continue;
    if (keys.some((_, index) => isCounted(at, index, code))) continue;
    if (n === 2 && keys.some((key) => /^(?:and|by|after|to|or|und|y|et|e|en|a|plus)$/u.test(key))) continue;
    if (n === 2 && (keys.every((key) => DIRECTIONS.has(key)) || keys.includes('please'))) continue;
    if (MEANT_PHRASES.has(keys.join(' ')) || new Set(keys).size === 1) continue;
    // Four words and more that stand by themselves, with no sign of a break between: said twice on purpose.
    if (n > 3 && span[n - 1]!.trail === '' && !UNFINISHED.has(keys.at(-1)!)) continue;
    // An item of a list that begins like the one before it: "du lait, du lait en poudre".
    if (span[n - 1]!.trail === ',' && at.behind(1)?.trail === ',' && !UNFINISHED.has(keys.at(-1)!)) continue;
    const last = span.at(-1)!;
    const goesOn =
      !endsSentence(last) &&
      at.ahead(2 * n) !== undefined &&
      !breaksLine(at.ahead(2 * n)!) &&
      !last.trail.startsWith(',');
    if (!goesOn) continue;
    const [opening, ...rest] = span.slice(n);
    return { take: 2 * n, put: [inPlaceOf(span[0]!, opening!), ...rest], reason: 'a repeated phrase' };
  }
  return null;
};

/** Looks again at what it wrote, so that "we we had a we had a" ends as "we had a". */
const untilStill = (tokens: readonly Token[], rule: (at: Cursor) => Change | null) => {
  let result = rewrite(tokens, 'repeats', rule);
  for (let round = 0; round < 2; round++) {
    const again = rewrite(result.tokens, 'repeats', rule);
    if (again.marks.length === 0) break;
    result = { tokens: again.tokens, marks: [...result.marks, ...again.marks] };
  }
  return result;
};

/** Stutters and repeated words, without phrases. */
export const stutters: Pass = {
  name: 'repeats',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const oneWord = word(language);
    return untilStill(tokens, (at) => stutter(at, language.code) ?? oneWord(at));
  },
};

export const repeats: Pass = {
  name: 'repeats',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const oneWord = word(language);
    return untilStill(tokens, (at) => stutter(at, language.code) ?? phrase(at, language.code) ?? oneWord(at));
  },
};
