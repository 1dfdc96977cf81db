// The faithfulness guard: compares what the language model wrote with what it was given, by rules alone.
import { words } from '../languages/entry.ts';

const NEGATIONS = words(`no not never none nobody nothing neither nor cannot without nowhere hardly
  nein nicht nie niemals kein keine keinen keinem keiner nichts niemand ohne
  nunca nada nadie ningún ninguna ninguno sin tampoco non ne pas jamais rien personne aucun aucune sans
  mai niente nessuno nessuna senza não nem ninguém nenhum nenhuma sem niet geen nooit niets niemand zonder`);
const HEDGES =
  words(`maybe perhaps might may could possibly probably about around approximately roughly seems seem apparently likely unlikely guess
  think suppose should would almost nearly unsure allegedly reportedly if unless
  vielleicht wahrscheinlich möglicherweise ungefähr etwa könnte würde wohl quizás quizá probablemente podría aproximadamente
  peut-être probablement environ pourrait forse probabilmente circa potrebbe talvez provavelmente poderia misschien waarschijnlijk ongeveer`);
/** Words an editor may add or drop without changing what is said. */
const LIGHT =
  words(`a an the and or so well to of in on at for that it is are i um uh like you know just then but with as
  der die das und ein eine zu el la los las un una y de en le les et il lo gli e di o os as um uma het een en van`);
const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, n) => [word, String(n)]),
);
const PREAMBLE =
  /^\s*(?:here(?:'s| is| are)|sure\b|certainly\b|of course|okay, here|i(?:'m| am) (?:sorry|an ai)|as an ai|```|edited transcript|transcript:)/iu;

const WORDS_SLACK = 3;
const NEW_WORDS_SHARE_MAX = 0.05;
const LOST_WORDS_SHARE_MAX = 0.12;
const ORDER_SHARE_MIN = 0.85;

const plain = (text: string): string => text.normalize('NFKC').replace(/[’ʼ‘]/gu, "'").toLowerCase();
/** "don't" and "do not" are the same words. */
const uncontracted = (text: string): string =>
  text
    .replace(/\b(?:can't|cannot)\b/gu, 'can not')
    .replace(/\bwon't\b/gu, 'will not')
    .replace(/n't\b/gu, ' not');
const wordsOf = (text: string): string[] =>
  uncontracted(plain(text)).match(/\p{L}[\p{L}\p{M}'-]*|\p{N}+(?:[.,:]\p{N}+)*/gu) ?? [];

const counted = (items: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};
const sameCounts = (a: readonly string[], b: readonly string[]): boolean => {
  const [left, right] = [counted(a), counted(b)];
  return left.size === right.size && [...left].every(([item, count]) => right.get(item) === count);
};

/** Digits whatever their separators, and small numbers whether spelled or not. "one" is too often a pronoun. */
const numbersOf = (text: string): string[] =>
  wordsOf(text)
    .map((word) =>
      /^\p{N}/u.test(word) ? word.replace(/[.,:]/gu, '') : word === 'one' ? '' : (NUMBER_WORDS.get(word) ?? ''),
    )
    .filter((number) => number !== '' && number !== '1');

const negationsOf = (text: string): string[] => wordsOf(text).filter((word) => NEGATIONS.has(word));
const hedgesOf = (text: string): string[] => wordsOf(text).filter((word) => HEDGES.has(word));
const addressesOf = (text: string): string[] =>
  plain(text).match(
    /\S+@\S+\.\p{L}+|https?:\/\/\S+|\b[\p{L}\p{N}-]+\.(?:com|org|net|io|de|fr|es|it|pt|nl|uk)\b\S*/gu,
  ) ?? [];

/** Capitalised words inside sentences: names, mostly. */
const namesOf = (text: string): string[] =>
  [
    ...text
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/\n+/gu, '\n')
      .matchAll(/(?<![.!?:…"“\n]\s*)(?<=\s)\p{Lu}[\p{L}\p{M}'’-]+/gu),
  ].map((match) => plain(match[0]).replace(/'s$/u, ''));

/** Near enough to be the same word, misheard or inflected. */
const alike = (a: string, b: string): boolean => {
  if (a === b) return true;
  const length = Math.min(a.length, b.length);
  if (length < 4 || Math.abs(a.length - b.length) > 3) return false;
  let same = 0;
  while (same < length && a[same] === b[same]) same += 1;
  return same >= Math.max(3, Math.ceil(Math.max(a.length, b.length) * 0.6));
};

const lackedBy = (items: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return items.filter((item) => !known.has(item) && !others.some((other) => alike(item, other)));
};

/** Length of the longest common subsequence of two word lists. */
const inOrder = (a: readonly string[], b: readonly string[]): number => {
  let previous = new Uint16Array(b.length + 1);
  for (const word of a) {
    const row = new Uint16Array(b.length + 1);
    for (let j = 0; j < b.length; j++)
      row[j + 1] = alike(word, b[j]!) ? previous[j]! + 1 : Math.max(previous[j + 1]!, row[j]!);
    previous = row;
  }
  return previous[b.length]!;
};

/** What the model did that it must not, or null when its text may stand for the source. */
export const breachOf = (source: string, candidate: string): string | null => {
  const [said, written] = [wordsOf(source), wordsOf(candidate)];
  if (written.length === 0) return said.length === 0 ? null : 'empty';
  if (PREAMBLE.test(candidate) && !PREAMBLE.test(source)) return 'remark';
  if (/<<<|>>>|```/u.test(candidate)) return 'remark';
  if (written.length > said.length * 1.2 + WORDS_SLACK) return 'added';
  if (written.length < said.length * 0.75 - WORDS_SLACK) return 'shortened';
  if (!sameCounts(numbersOf(source), numbersOf(candidate))) return 'numbers';
  if (!sameCounts(addressesOf(source), addressesOf(candidate))) return 'addresses';
  if (!sameCounts(negationsOf(source), negationsOf(candidate))) return 'negations';
  if (!sameCounts(hedgesOf(source), hedgesOf(candidate))) return 'hedges';
  const names = namesOf(source);
  if (names.some((name) => !written.includes(name) && !written.some((word) => word.startsWith(name)))) return 'names';
  if (namesOf(candidate).some((name) => !said.some((word) => alike(word.replace(/'s$/u, ''), name)))) return 'names';
  const heavy = (list: readonly string[]) => list.filter((word) => !LIGHT.has(word));
  const [content, rewritten] = [heavy(said), heavy(written)];
  if (lackedBy(rewritten, said).length > Math.max(1, Math.floor(content.length * NEW_WORDS_SHARE_MAX)))
    return 'invented';
  if (lackedBy(content, written).length > Math.max(1, Math.floor(content.length * LOST_WORDS_SHARE_MAX))) return 'lost';
  if (inOrder(content, rewritten) < Math.floor(content.length * ORDER_SHARE_MIN)) return 'reordered';
  const questions = (text: string) => text.match(/[?？]/gu)?.length ?? 0;
  if (questions(candidate) < questions(source)) return 'questions';
  return null;
};
