// Finds numbers and e-mail addresses at the border of two texts, where the next text may continue them.
import type { RedactedKind } from '@faircopy/contract';
import type { Token } from '../token.ts';
import { wordsOfAll } from '../words.ts';
import { isOnlyProfanity } from './detect.ts';
import { AT_WORDS, emails, IS, JOINERS, localStart, MAIL_CUE, NOT_LOCAL, SPOKEN_AT } from './emails.ts';
import { isCorrection, type Run } from './runs.ts';
import { type Item, textOfItems } from './spoken-codes.ts';
import { type Entity, SpokenText } from './spoken-text.ts';
import { DOT_WORDS, isYearLike, SEPARATOR_WORDS } from './words.ts';

/** Kinds whose numbers may continue in the next utterance. */
const LONG_KINDS: readonly RedactedKind[] = ['card', 'iban', 'ssn', 'phone', 'ip', 'number'];
const CUE_REACH = 14;
const IP_CUE = wordsOfAll({ en: 'ip server host ping', fr: 'serveur hôte', es: 'servidor' });

const hasIpCue = ({ tokens }: SpokenText, index: number): boolean =>
  tokens.slice(Math.max(0, index - CUE_REACH), index).some(({ key }) => IP_CUE.has(key));

const LONG_DIGITS = 7;
const CORRECTION_REACH = 4;

const isAfterLong = (text: SpokenText, at: number): boolean =>
  text.digitRuns.some(({ items }) => {
    const { to } = items.at(-1)!;
    return to <= at && at - to <= CORRECTION_REACH && textOfItems(items).length >= LONG_DIGITS;
  });

const isBorderRun = (text: SpokenText, { items }: Run): boolean => {
  const digits = textOfItems(items);
  const at = items[0]!.from;
  const isCued = (['card', 'iban', 'id', 'phone', 'cvv'] as const).some((cue) => text.isCued(cue, at, CUE_REACH));
  if (isCued || hasIpCue(text, at)) return digits.length >= 1;
  if (text.isNotPersonal(at, CUE_REACH)) return false;
  const isYear = items.length === 1 && isYearLike(digits);
  // An area code starts with zero. A number after a long number may correct it.
  const isAreaCode = /^0\d{2}/u.test(digits);
  return (digits.length >= 4 && !isYear) || isAreaCode || (digits.length >= 3 && isAfterLong(text, at));
};

/** Letters and digits of an IBAN or a national id that are being spelled. */
const isBorderCode = (text: SpokenText, { items }: Run): boolean =>
  /^(?:\d|..)/u.test(textOfItems(items)) &&
  (['iban', 'id'] as const).some((cue) => text.isCued(cue, items[0]!.from, CUE_REACH));

const EMAIL_CUE =
  /^(?:e-?mails?|mail|correo|courriel|mel|indirizzo|adres|adresse|address|dirección|endereço|write|schreib\S*|escr[ií]b\S*|écri\S+|scriv\S*|escreva\S*|schrijf)$/u;
const EMAIL_TOKENS_MAX = 14;
const HOST_TOKENS_MAX = 6;
/** "my mail is jane": maximum words of a name before its first dot. */
const NAME_TOKENS_MAX = 2;

const openEmail = (text: SpokenText): Entity | null => {
  const { tokens } = text;
  const to = tokens.length;
  const entity = (from: number): Entity => ({ kind: 'email', from, to, value: text.keysTogether(from, to) });
  const at = tokens.findLastIndex(({ key }, index) => AT_WORDS.has(key) && index > 0 && index >= to - HOST_TOKENS_MAX);
  if (at !== -1 && SPOKEN_AT.has(tokens[at]!.key)) return entity(localStart(text, at));
  const last = emails(text).at(-1);
  const rest = last ? tokens.slice(last.to) : [];
  const corrected = rest.findLastIndex(isCorrection) + 1;
  const attempt = rest.length - corrected;
  if (corrected > 0 && attempt > 0 && attempt <= EMAIL_TOKENS_MAX) return entity(to - attempt);
  const cue = tokens.findLastIndex(({ key }) => EMAIL_CUE.test(key));
  if (cue === -1 || to - cue > EMAIL_TOKENS_MAX) return null;
  const isStated = IS.has(tokens[cue + 1]?.key ?? '') && MAIL_CUE.test(tokens[cue]!.key);
  const first = cue + (isStated ? 2 : 1);
  if (at > first && isStated) return entity(first);
  const isJoiner = (index: number) => index >= 0 && JOINERS.has(tokens[index]!.key);
  let end = at > first ? at : to;
  while (isJoiner(end - 1)) end -= 1;
  const from = end > first ? Math.max(first, localStart(text, end)) : to;
  if (from < to && tokens.slice(from).some((_, n) => isJoiner(from + n))) return entity(from);
  const isName = isStated && to > first && to - first <= NAME_TOKENS_MAX && !NOT_LOCAL.has(tokens[first]!.key);
  return isName ? entity(first) : null;
};

const isPause = ({ key }: Token): boolean => DOT_WORDS.has(key) || SEPARATOR_WORDS.has(key);

/** A number or e-mail address at the end of a text that the next text may continue, or null. */
export const openEnd = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): Entity | null => {
  const text = SpokenText.of(tokens);
  const email = kinds.has('email') ? openEmail(text) : null;
  if (email || !LONG_KINDS.some((kind) => kinds.has(kind))) return email;
  let end = tokens.length;
  while (end > 0 && isPause(tokens[end - 1]!)) end -= 1;
  const isLast = (run: Run | undefined): run is Run => run !== undefined && run.items.at(-1)!.to >= end;
  const hidden = (items: readonly Item[]): Entity => ({
    kind: 'number',
    from: items[0]!.from,
    to: tokens.length,
    value: textOfItems(items),
  });
  const [run, code] = [text.digitRuns.at(-1), text.runs.at(-1)];
  if (isLast(code) && isBorderCode(text, code)) return hidden(code.items);
  return isLast(run) && isBorderRun(text, run) ? hidden(run.items) : null;
};

/** The number at the start of the text after `border` if it continues the text before the border, or null. */
export const openStart = (
  tokens: readonly Token[],
  border: number,
  kinds: ReadonlySet<RedactedKind>,
): Entity | null => {
  if (border === 0) return null;
  // The text before is asked last, because few texts start with a number.
  const text = SpokenText.of(tokens.slice(border));
  const run = [text.runs[0], text.digitRuns[0]].find(
    (each) => each !== undefined && each.items[0]!.from <= 1 && /\d/u.test(textOfItems(each.items)),
  );
  if (!run || openEnd(tokens.slice(0, border), kinds)?.kind !== 'number') return null;
  const to = border + run.items.at(-1)!.to;
  return { kind: 'number', from: border + run.items[0]!.from, to, value: textOfItems(run.items) };
};

/** The number of tokens at the end that may belong to an unfinished number or e-mail address. */
export const openTokens = (tokens: readonly Token[], kinds: ReadonlySet<RedactedKind>): number => {
  if (isOnlyProfanity(kinds)) return 0;
  const run = SpokenText.of(tokens).runs.at(-1);
  const isRun = run !== undefined && run.items.at(-1)!.to === tokens.length;
  const isNumber = isRun && (run.items.length > 1 || /\d/u.test(textOfItems(run.items)));
  const number = isNumber ? tokens.length - run.items[0]!.from : 0;
  if (!kinds.has('email')) return number;
  const cue = tokens.findLastIndex(({ key }) => EMAIL_CUE.test(key) || SPOKEN_AT.has(key));
  const email = cue === -1 ? 0 : tokens.length - cue + (SPOKEN_AT.has(tokens[cue]!.key) ? Math.min(3, cue) : -1);
  return Math.max(number, email <= EMAIL_TOKENS_MAX ? email : 0);
};
