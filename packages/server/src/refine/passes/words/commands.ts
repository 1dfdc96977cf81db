// Word lists of the commands pass.
import { words, wordsOfAll } from '../../words.ts';

/** Before one of these words, a mark is mentioned, not dictated: "comma splice", "period of time". */
export const MENTIONED_BEFORE = wordsOfAll({
  en: `is was are were should must separated delimited splice splices key keys of here there rule rules usage after before
    between list lists slide slides that who which in goes belongs cancer polyp drama piece costume character characters symbol sign`,
  de: 'ist war soll sollte fehlt nach vor',
  es: 'es está era falta',
  fr: 'est était manque',
  it: 'è era falta',
  pt: 'é foi',
  nl: 'is was staat',
});
/** Kinds of period: "grace period", "the first period". */
export const PERIOD_KINDS =
  words(`which what whose time grace trial class waiting notice long short brief cooling rest same first second third last rehearsal fiscal reporting
  victorian medieval roman transition probation billing pay historical post pre incubation recovery study test testing year month week day
  hour minute lunch free reference holiday exam question blue gestation lag dark early late dry wet difficult turbulent
  limited peak review comment`);
/** Words that start a sentence after a dictated full stop. */
export const SENTENCE_STARTS = wordsOfAll({
  en: `i we you he she they it the this that there my our your please thank thanks let let's so but and also if when i'm i'll we'll
    it's we're you're as no yes what how can could do does is are all best regards sincerely kind new next dear hi hello first second he's she's`,
  de: 'ich wir sie er es bitte danke der die das',
  es: 'yo nosotros gracias por el la',
  fr: 'je nous merci le les il',
  it: 'io noi grazie',
  pt: 'eu nós obrigado',
  nl: 'ik we dank',
});
/** Determiners that may nevertheless end a dictated sentence. */
export const SENTENCE_ENDS = words('in on for with of after before without like as is was one two three');

interface MarkPair {
  readonly opens: readonly string[];
  readonly closes: readonly (readonly string[])[];
  readonly lead: string;
  readonly trail: string;
}

const pair = (opens: string, closes: readonly string[], lead: string, trail: string): MarkPair => ({
  opens: opens.split(' '),
  closes: closes.map((phrase) => phrase.split(' ')),
  lead,
  trail,
});

/** English marks that are dictated in pairs, longest opening first. */
export const MARK_PAIRS: readonly MarkPair[] = [
  pair('open quotes', ['close quotes', 'end quote', 'close quote', 'unquote'], '"', '"'),
  pair('open quote', ['close quote', 'end quote', 'close quotes', 'unquote'], '"', '"'),
  pair('quote', ['unquote', 'end quote', 'close quote'], '"', '"'),
  pair('open parenthesis', ['close parenthesis', 'close parentheses'], '(', ')'),
  pair('open parentheses', ['close parentheses', 'close parenthesis'], '(', ')'),
  pair('open paren', ['close paren'], '(', ')'),
  pair('open bracket', ['close bracket'], '[', ']'),
];
/** "a capo della commissione": before one of these words, "a capo" means "at the head". */
export const AFTER_A_CAPO = /^(?:d[ei]|del|dello|della|dei|degli|delle)$|^dell'/u;
