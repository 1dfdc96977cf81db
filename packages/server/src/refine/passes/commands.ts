// Spoken punctuation and layout, when plainly commanded and not merely mentioned.

import type { Language, SpokenMark } from '../language.ts';
import { words } from '../languages/entry.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Cursor, type Pass, rewrite } from '../rewrite.ts';
import { breaksLine, type Token } from '../token.ts';

interface Command extends SpokenMark {
  readonly parts: readonly string[];
}

/** Words after which a mark is being talked about: "comma splice", "period of time", "bullet point list". */
const TALKED_ABOUT_NEXT =
  words(`is was are were should must separated delimited splice splices key keys of here there rule rules usage after before
  between list lists slide slides that who which in goes belongs cancer polyp drama piece costume character characters symbol sign
  ist war soll sollte fehlt nach vor es está era falta est était manque è era falta é foi is was staat`);
const PERIOD_KINDS =
  words(`which what whose time grace trial class waiting notice long short brief cooling rest same first second third last rehearsal fiscal reporting
  victorian medieval roman transition probation billing pay historical post pre incubation recovery study test testing year month week day
  hour minute lunch free reference holiday exam question blue gestation lag dark early late dry wet difficult turbulent
  limited peak review comment`);
const CLAUSE_STARTS =
  words(`i we you he she they it the this that there my our your please thank thanks let let's so but and also if when i'm i'll we'll
  it's we're you're as no yes what how can could do does is are all best regards sincerely kind new next dear hi hello first second he's she's
  ich wir sie er es bitte danke der die das yo nosotros gracias por el la je nous merci le les il io noi grazie eu nós obrigado ik we dank`);

/** Words a dictated sentence may end with, though they mostly lead to a noun. */
const ENDING = words('in on for with of after before without like as is was one two three');

interface CommandSet {
  /** Longest first. */
  readonly list: readonly Command[];
  readonly starts: ReadonlySet<string>;
  readonly plain: ReadonlySet<string>;
  readonly doubtful: ReadonlySet<string>;
}

const commandSets = new Map<string, CommandSet>();
const commandsOf = (language: Language): CommandSet => {
  const known = commandSets.get(language.code);
  if (known) return known;
  const list = [...language.marks]
    .map((mark) => ({ ...mark, parts: mark.say.split(' ') }))
    .sort((a, b) => b.parts.length - a.parts.length);
  const made: CommandSet = {
    list,
    starts: new Set(list.map(({ parts }) => parts[0]!)),
    plain: new Set(list.filter(({ doubtful }) => !doubtful).map(({ say }) => say)),
    doubtful: new Set(list.filter(({ doubtful }) => doubtful).map(({ say }) => say)),
  };
  commandSets.set(language.code, made);
  return made;
};

const matches = (at: Cursor, command: Command): boolean =>
  command.parts.every(
    (part, n) => at.key(n) === part && (n === 0 || (at.ahead(n - 1)!.trail === '' && !breaksLine(at.ahead(n)!))),
  );

const isMentioned = (at: Cursor, command: Command, language: Language, dictated: boolean): boolean => {
  const before = at.behind(1);
  const last = at.ahead(command.parts.length - 1)!;
  const next = at.ahead(command.parts.length);
  // "During which period?": a mark that carries a question is a word.
  if (at.ahead(0)!.lead !== '' || /["'”’)?!]/u.test(last.trail)) return true;
  const near = before !== undefined && before.trail === '' && !breaksLine(at.ahead(0)!);
  // "drei Komma fünf": a decimal mark, or it may be one.
  const isNumber = (token: Token | undefined) =>
    token !== undefined && (isNumberWord(token.key, language.code) || isArticleOne(token.key, language.code));
  const decimals = language.code !== 'en' && command.parts.length === 1;
  if (decimals && near && isNumber(before) && last.trail === '' && isNumber(next)) return true;
  const ends = dictated && next === undefined && ENDING.has(before?.key ?? '');
  if (near && !ends && language.determiners.has(before.key)) return true;
  if (!dictated && last.trail === '' && /^(?:and|or)$/u.test(next?.key ?? '')) return true;
  // Said as a word of its own between marks it is a command, whatever follows.
  return (
    next !== undefined &&
    last.trail === '' &&
    !breaksLine(next) &&
    TALKED_ABOUT_NEXT.has(next.key) &&
    command.write !== 'bullet'
  );
};

/** Doubtful words count when the text is dictated, or when they stand where only a mark can. */
const isPlain = (at: Cursor, command: Command, dictated: boolean): boolean => {
  if (!command.doubtful) return true;
  const before = at.behind(1);
  const next = at.ahead(command.parts.length);
  if (!before) return false;
  if (command.say === 'period' && PERIOD_KINDS.has(before.key) && before.trail === '') return false;
  // "You are not going, period." is emphasis.
  if (before.trail === ',' && !dictated) return false;
  if (command.write === '.') return dictated || (command.say === 'period' && (!next || CLAUSE_STARTS.has(next.key)));
  return dictated;
};

const punctuate = (at: Cursor, command: Command): Change | null => {
  const before = at.behind(1);
  if (!before) return null;
  const bare = before.trail.replace(/[,.;:!?…]+$/u, '');
  return {
    back: 1,
    take: command.parts.length,
    put: [{ ...before, trail: bare + command.write }],
    reason: `"${command.say}" was dictated`,
  };
};

const GAPS = { paragraph: '\n\n', line: '\n', bullet: '\n' } as const;

/** The break goes before the next word; what stood before it ends its sentence. */
const layout = (at: Cursor, command: Command): Change | null => {
  const next = at.ahead(command.parts.length);
  const before = at.behind(1);
  const take = command.parts.length;
  const reason = `"${command.say}" was dictated`;
  if (!next) return before ? { take, put: [], reason } : null;
  const write = command.write as keyof typeof GAPS;
  const gap = before ? GAPS[write] : '';
  const closed =
    before && write === 'bullet' ? [{ ...before, trail: before.trail.replace(/[,;]$/u, '') }] : before ? [before] : [];
  const lead = write === 'bullet' ? '- ' : '';
  return { back: closed.length, take: take + 1, put: [...closed, { ...next, gap, lead: lead + next.lead }], reason };
};

/** So many doubtful ones leave no doubt either. */
const DOUBTS_MIN = 3;

/** Commands that leave no doubt show that the rest is dictated too. */
const isDictated = (tokens: readonly Token[], { plain, doubtful, starts }: CommandSet, language: Language): boolean => {
  let doubts = 0;
  for (const [index, { key }] of tokens.entries()) {
    if (!starts.has(key)) continue;
    if (language.determiners.has(tokens[index - 1]?.key ?? '')) continue;
    if (plain.has(key) || plain.has(`${key} ${tokens[index + 1]?.key ?? ''}`)) return true;
    if (doubtful.has(key)) doubts += 1;
  }
  return doubts >= DOUBTS_MIN;
};

const PAIRS: readonly (readonly [opens: string, closes: readonly string[], lead: string, trail: string])[] = [
  ['open quotes', ['close quotes', 'end quote', 'close quote', 'unquote'], '"', '"'],
  ['open quote', ['close quote', 'end quote', 'close quotes', 'unquote'], '"', '"'],
  ['quote', ['unquote', 'end quote', 'close quote'], '"', '"'],
  ['open parenthesis', ['close parenthesis', 'close parentheses'], '(', ')'],
  ['open parentheses', ['close parentheses', 'close parenthesis'], '(', ')'],
  ['open paren', ['close paren'], '(', ')'],
  ['open bracket', ['close bracket'], '[', ']'],
];
const PAIR_WORDS_MAX = 40;

const phraseAt = (at: Cursor, n: number, phrase: string): number => {
  const parts = phrase.split(' ');
  return parts.every((part, k) => at.key(n + k) === part) ? parts.length : 0;
};

/** "quote … unquote", "open parenthesis … close parenthesis": only as a pair, around at least one word. */
const paired = (at: Cursor): Change | null => {
  for (const [opens, closes, lead, trail] of PAIRS) {
    const opening = phraseAt(at, 0, opens);
    if (opening === 0) continue;
    for (let n = opening + 1; n < PAIR_WORDS_MAX && at.ahead(n); n++) {
      const closing = closes.map((phrase) => phraseAt(at, n, phrase)).find((length) => length > 0);
      if (!closing) continue;
      const inside = [...at.span(opening, n)];
      inside[0] = { ...inside[0]!, gap: at.ahead(0)!.gap, lead: lead + inside[0]!.lead };
      const last = inside.at(-1)!;
      inside[inside.length - 1] = {
        ...last,
        trail: last.trail.replace(/[,.]$/u, '') + trail + at.ahead(n + closing - 1)!.trail,
      };
      return { take: n + closing, put: inside, reason: `"${opens}" was dictated` };
    }
  }
  return null;
};

export const commands: Pass = {
  name: 'commands',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const english = language.code === 'en';
    const set = commandsOf(language);
    const { list, starts } = set;
    const dictated = isDictated(tokens, set, language);
    return rewrite(tokens, 'commands', (at) => {
      if (english && (at.key(0) === 'quote' || at.key(0) === 'open')) return paired(at);
      if (!starts.has(at.key(0))) return null;
      const command = list.find((candidate) => matches(at, candidate));
      if (!command || isMentioned(at, command, language, dictated) || !isPlain(at, command, dictated)) return null;
      return command.write in GAPS ? layout(at, command) : punctuate(at, command);
    });
  },
};
