// Combines hypotheses without the caller's terms, then puts the terms back, so that a term list affects only the places
// of its terms.
import { channel } from 'node:diagnostics_channel';
import type { RecognisedWord } from '../../recogniser.ts';
import { CLOSING } from '../../terms/placed-terms.ts';
import { TERM_RULES } from '../../terms/rules.ts';
import { alikeness, phonesOf } from '../../terms/sound.ts';
import { commonWords, passages } from './common-words.ts';

type Words = readonly RecognisedWord[];

/** Published for `npm run eval:terms`: a hypothesis's terms and the words elected in their place. */
export interface ContestedTerms {
  readonly elected: string;
  readonly own: string;
  /** How much more confident the elected words are. */
  readonly lead: number;
  readonly alikeness: number;
  /** The elected words contain a term. */
  readonly areTerms: boolean;
}
const contestedTerms = channel('faircopy:contested-terms');

export const combineAroundTerms = (
  hypotheses: readonly Words[],
  combine: (heard: readonly Words[]) => RecognisedWord[],
): RecognisedWord[] =>
  hypotheses.some(hasTerm)
    ? hypotheses.filter(hasTerm).reduce(withTermsOf, combine(hypotheses.map(heardWithoutTerms)))
    : combine(hypotheses);

const heardWithoutTerms = (words: Words): RecognisedWord[] => {
  const heard: RecognisedWord[] = [];
  let at = 0;
  for (const { from, to } of termsIn(words)) {
    const place = words.slice(from, to);
    heard.push(...words.slice(at, from), ...spreadOver(place, words[from]!.term!.instead));
    at = to;
  }
  return [...heard, ...words.slice(at)];
};

/** The ranges of the terms; only the first word of a term is marked. */
const termsIn = (words: Words): { readonly from: number; readonly to: number }[] =>
  words.flatMap(({ term }, from) =>
    term ? [{ from, to: Math.min(words.length, from + wordsOf(term.text).length) }] : [],
  );

/** Spreads other words over the time of a place, with the mean confidence of its words. */
const spreadOver = (place: Words, text: string): RecognisedWord[] => {
  const [first, last] = [place[0]!, place.at(-1)!];
  const texts = wordsOf(text);
  const closing = CLOSING.exec(last.text)?.[0] ?? '';
  const wordMs = (last.endMs - first.startMs) / texts.length;
  return texts.map((word, nth) => ({
    text: nth === texts.length - 1 ? word + closing : word,
    startMs: first.startMs + nth * wordMs,
    endMs: first.startMs + (nth + 1) * wordMs,
    confidence: meanConfidence(place),
  }));
};

const withTermsOf = (combined: RecognisedWord[], hypothesis: Words): RecognisedWord[] => {
  const common = commonWords([combined, hypothesis]);
  // A term counts as found only if all of its words are.
  const found = new Set(common.map(([, at]) => at));
  const isFound = (from: number, to: number) => hypothesis.slice(from, to).every((_, nth) => found.has(from + nth));
  const missing = termsIn(hypothesis).filter(({ from, to }) => !isFound(from, to));
  const isMissing = (at: number) => missing.some(({ from, to }) => at >= from && at < to);
  const kept = common.filter(([, at]) => !isMissing(at!));
  const result: RecognisedWord[] = [];
  for (const { from, to } of passages([combined, hypothesis], kept)) {
    const range = [from[1]!, to[1]!] as const;
    const inPassage = missing.filter((term) => term.from >= range[0] && term.to <= range[1]);
    const elected = withTerms(combined.slice(from[0], to[0]), hypothesis, range, inPassage);
    result.push(...elected, ...combined.slice(to[0], to[0]! + 1));
  }
  return result;
};

/** The elected words of a passage, with the terms that a hypothesis has there. */
const withTerms = (
  elected: Words,
  hypothesis: Words,
  [passageFrom, passageTo]: readonly [number, number],
  terms: ReturnType<typeof termsIn>,
): Words => {
  const [first, last] = [terms[0], terms.at(-1)];
  if (!first || !last || elected.length === 0) return elected;
  // The words before and after the terms correspond to the same number of elected words.
  const start = Math.min(first.from - passageFrom, elected.length - 1);
  const end = Math.max(start + 1, elected.length - (passageTo - last.to));
  const [replaced, own] = [elected.slice(start, end), hypothesis.slice(first.from, last.to)];
  const lead = meanConfidence(replaced) - meanConfidence(own);
  const areTerms = hasTerm(replaced);
  // Compare the words it replaced too: with a caller's pronunciation, a term may not sound as it is spelt.
  const alike = Math.max(...[own, heardWithoutTerms(own)].map((words) => alikenessOf(replaced, words)));
  if (contestedTerms.hasSubscribers)
    contestedTerms.publish({
      elected: textOf(replaced),
      own: textOf(own),
      lead,
      alikeness: alike,
      areTerms,
    } satisfies ContestedTerms);
  // Words that sound like something else are another reading of the speech, not another spelling of the term.
  if (alike < TERM_RULES.electedAlikeMin || lead > (areTerms ? 0 : TERM_RULES.overruledBy)) return elected;
  return [...elected.slice(0, start), ...own, ...elected.slice(end)];
};

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

const textOf = (words: Words): string => words.map(({ text }) => text).join(' ');

const alikenessOf = (a: Words, b: Words): number => alikeness(phonesOf(textOf(a)), phonesOf(textOf(b)));

const hasTerm = (words: Words): boolean => words.some(({ term }) => term);

export const meanConfidence = (words: Words): number =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
