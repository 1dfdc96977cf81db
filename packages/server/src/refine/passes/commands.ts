// Applies dictated punctuation and layout where it is clearly a command and not merely mentioned.
import type { Cursor } from '../cursor.ts';
import type { Language, SpokenMark } from '../language.ts';
import { isArticleOne, isNumberWord } from '../numbers/number-words.ts';
import { type Change, type Pass, rulePass } from '../rewrite.ts';
import { breaksLine, type Token } from '../token.ts';
import {
  AFTER_A_CAPO,
  MARK_PAIRS,
  MENTIONED_BEFORE,
  PERIOD_KINDS,
  SENTENCE_ENDS,
  SENTENCE_STARTS,
} from './words/commands.ts';

interface Command extends SpokenMark {
  readonly parts: readonly string[];
}

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

const matches = (at: Cursor, { parts }: Command): boolean =>
  parts.every(
    (part, n) => at.key(n) === part && (n === 0 || (at.ahead(n - 1)!.trail === '' && !breaksLine(at.ahead(n)!))),
  );

const isMentioned = (at: Cursor, command: Command, language: Language, isDictated: boolean): boolean => {
  const before = at.behind(1);
  const last = at.ahead(command.parts.length - 1)!;
  const next = at.ahead(command.parts.length);
  // "During which period?": a command has no question mark.
  if (at.ahead(0)!.lead !== '' || /["'”’)?!]/u.test(last.trail)) return true;
  const follows = before !== undefined && before.trail === '' && !breaksLine(at.ahead(0)!);
  const isNumber = (token: Token | undefined) =>
    token !== undefined && (isNumberWord(token.key, language.code) || isArticleOne(token.key, language.code));
  // "drei Komma fünf" may be a decimal.
  const mayBeDecimal = language.code !== 'en' && command.parts.length === 1;
  if (mayBeDecimal && follows && isNumber(before) && last.trail === '' && isNumber(next)) return true;
  if (command.say === 'a capo' && last.trail === '' && next && AFTER_A_CAPO.test(next.key)) return true;
  const isLast = isDictated && next === undefined && SENTENCE_ENDS.has(before?.key ?? '');
  if (follows && !isLast && language.determiners.has(before.key)) return true;
  if (!isDictated && last.trail === '' && (next?.key === 'and' || next?.key === 'or')) return true;
  return (
    next !== undefined &&
    last.trail === '' &&
    !breaksLine(next) &&
    MENTIONED_BEFORE.has(next.key) &&
    command.write !== 'bullet'
  );
};

/** Doubtful words count as commands in dictated text, or where only punctuation makes sense. */
const isCertain = (at: Cursor, command: Command, isDictated: boolean): boolean => {
  if (!command.doubtful) return true;
  const before = at.behind(1);
  if (!before) return false;
  const isPeriod = command.say === 'period';
  if (isPeriod && PERIOD_KINDS.has(before.key) && before.trail === '') return false;
  if (isDictated) return true;
  // "You are not going, period." is emphasis.
  if (before.trail === ',' || !isPeriod) return false;
  const next = at.ahead(command.parts.length);
  return !next || SENTENCE_STARTS.has(next.key);
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

const GAPS: Readonly<Record<string, string>> = { paragraph: '\n\n', line: '\n', bullet: '\n' };

/** Puts the break before the next word. */
const layOut = (at: Cursor, { parts, say, write }: Command): Change | null => {
  const next = at.ahead(parts.length);
  const before = at.behind(1);
  const reason = `"${say}" was dictated`;
  if (!next) return before ? { take: parts.length, put: [], reason } : null;
  const isBullet = write === 'bullet';
  const opened = { ...next, gap: before ? GAPS[write]! : '', lead: (isBullet ? '- ' : '') + next.lead };
  if (!before) return { take: parts.length + 1, put: [opened], reason };
  const closed = isBullet ? { ...before, trail: before.trail.replace(/[,;]$/u, '') } : before;
  return { back: 1, take: parts.length + 1, put: [closed, opened], reason };
};

/** At least this many doubtful commands show that a text is dictated. */
const DOUBTFUL_MIN = 3;

/** Whether the text is dictated: it contains an unambiguous command or several doubtful ones. */
const isDictation = (
  tokens: readonly Token[],
  { plain, doubtful, starts }: CommandSet,
  language: Language,
): boolean => {
  let doubtfulCount = 0;
  for (const [index, { key }] of tokens.entries()) {
    if (!starts.has(key)) continue;
    if (language.determiners.has(tokens[index - 1]?.key ?? '')) continue;
    if (plain.has(key) || plain.has(`${key} ${tokens[index + 1]?.key ?? ''}`)) return true;
    if (doubtful.has(key)) doubtfulCount += 1;
  }
  return doubtfulCount >= DOUBTFUL_MIN;
};

const PAIR_WORDS_MAX = 40;

/** "quote … unquote", "open parenthesis … close parenthesis": only as a pair around at least one word. */
const paired = (at: Cursor): Change | null => {
  for (const { opens, closes, lead, trail } of MARK_PAIRS) {
    if (!at.says(opens)) continue;
    for (let n = opens.length + 1; n < PAIR_WORDS_MAX && at.ahead(n); n++) {
      const closing = closes.find((phrase) => at.says(phrase, n))?.length;
      if (!closing) continue;
      const inside = [...at.span(opens.length, n)];
      inside[0] = { ...inside[0]!, gap: at.ahead(0)!.gap, lead: lead + inside[0]!.lead };
      const last = inside.at(-1)!;
      inside[inside.length - 1] = {
        ...last,
        trail: last.trail.replace(/[,.]$/u, '') + trail + at.ahead(n + closing - 1)!.trail,
      };
      return { take: n + closing, put: inside, reason: `"${opens.join(' ')}" was dictated` };
    }
  }
  return null;
};

export const commands: Pass = rulePass('commands', (language, tokens) => {
  const set = commandsOf(language);
  const isDictated = isDictation(tokens, set, language);
  return (at) => {
    if (language.code === 'en' && (at.key(0) === 'quote' || at.key(0) === 'open')) return paired(at);
    if (!set.starts.has(at.key(0))) return null;
    const command = set.list.find((candidate) => matches(at, candidate));
    if (!command || isMentioned(at, command, language, isDictated) || !isCertain(at, command, isDictated)) return null;
    return command.write in GAPS ? layOut(at, command) : punctuate(at, command);
  };
});
