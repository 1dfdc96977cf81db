// Word lists of the repeats pass.
import { phraseSet, words, wordsOfAll } from '../../words.ts';

/** English words that are repeated on purpose, for emphasis, as sounds, in names or by grammar. */
export const REPEATED_ON_PURPOSE =
  words(`very really so too much many more far long big small little old new good bad great never always ever super way
  please no yes yeah yep nope okay ok ha haha he hee ho bye hey hello hi hush knock tick tock chop choo woof meow quack beep boom bang
  blah yada yadda la da na do re mi fa so ti row row now there here wait stop go come run hurry look listen well ooh oh wow aw aww
  had that her is was were are in on out over up down off through can will may mark bill pat walla bora duran sing pago baden
  cha gaga dada papa mama tutu bon pom yo night goodbye right sure true again fine nice same pizza extra tut there why who what
  hot cold deep hard soft fast slow quick high low close wide dark bright pretty quite truly absolutely totally completely
  monday tuesday wednesday thursday friday saturday sunday half quarter work money home holy hip wakey mumble rah ra go-go win talk hear
  one two three four five six seven eight nine ten zero oh eleven twelve twenty thirty forty fifty sixty seventy eighty ninety
  hundred thousand double triple point dot dash slash new-new test check mic maybe love dear sir`);
export const PHRASES_ON_PURPOSE = phraseSet(
  `she said, he said, they said, you said, new york, thank you, come on, will be, oh my, i know, i do, go on, all right, my my,
  hear hear, there there, how do, yeah well`,
);
export const COPULAS = words('is was are were do did');
/** "what it is is": one of these words before a copula makes the repeat grammatical. */
export const BEFORE_COPULA = words('what all who where how it that');
export const PRONOUNS = words('i we you they he she it');
/** Pronouns that may end one clause and start the next: "did it it was". */
export const OBJECT_PRONOUNS = words('you it me them us');
export const BEFORE_SUBJECT = words(
  `and but so because that if when then think thought know well yeah yes no do did can could would should will are what where how
  since as while okay or`,
);
/** "so so I": a stutter only before a clause. */
export const AFTER_STUTTERED_SO = words("i we you they he she it the that's it's i'm we're what if then my our this");
export const MODALS = words('can will may could would should');
/** "those who can can" */
export const BEFORE_REPEATED_MODAL = words('who that which what as');
export const PARTICLES = words('in on up out over');
/** Verbs with particles: "log in in the morning". */
export const PARTICLE_VERBS =
  words(`come came coming comes log logged logging check checked checking turn turned hand handed move moved moving go goes going went
  gone been put get got bring brought sign signed dial phone call called carry carried hold hang kick kicked fill filled
  live lived lives stay stayed tune tuned tap lock locked plug plugged give gave break broke breaking fit fits what where that it`);

/** Words that announce digits. */
export const BEFORE_DIGITS =
  /^(?:nummer|telefon\w*|code|pin|wähl\w*|ruf\w*|bel|toets|número|teléfono|código|llam\w*|marque|numéro|téléphone|appel\w*|composez|numero|telefono|codice|chiam\w*|ligue|disque|telefone)$/u;
/** Directions that are called out in turn: "left right left right". */
export const DIRECTIONS = wordsOfAll({
  en: 'in out up down on off left right',
  de: 'links rechts',
  nl: 'links rechts',
  fr: 'gauche droite',
  es: 'izquierda derecha',
  it: 'sinistra destra',
});
/** "step by step by step": words that join equal parts. */
export const PHRASE_JOINTS = wordsOfAll({
  en: 'and by after to or a plus',
  de: 'und plus',
  es: 'y a',
  fr: 'et plus',
  it: 'e',
  pt: 'e a',
  nl: 'en',
});
/** Words that cannot end a complete phrase; the speaker broke off after them. */
export const NEVER_LAST_IN_PHRASE =
  words(`a an the my your his her its our their this that these those to of in on at for with from by and or but so if when
  because as than is are was were be been am do does did have has had will would can could should may might must not i we you he
  she it they who which what where how like just really very`);
/** First letters of words such as "e-mail", "t-shirt", "x-ray" and "u-turn". */
export const LETTER_PREFIXES = words('e t x u');
/** Verbs that end a clause in German and Dutch. */
export const VERBS_LAST = wordsOfAll({
  de: 'ist sind war hat haben habe kann können muss müssen wird werden',
  nl: 'is was heb heeft hebben kan moet wil ga gaan wordt',
});
