// Writes terms into a hypothesis: the model scores its text with a term in place of some words, and the term is kept if
// it is nearly as likely. Without a likely place, nothing is scored and the text is unchanged.
import { channel } from 'node:diagnostics_channel';
import type { Hypothesis } from '../acoustic/acoustic-model.ts';
import { type LogitRow, logProbabilityOf } from '../decoding/choose-token.ts';
import { tokenGroups } from '../words/words.ts';
import type { AppliedTerm } from './applied-term.ts';
import { alikenessFor, crowdingOf, marginOf } from './margin.ts';
import { CLOSING } from './placed-terms.ts';
import { TERM_RULES } from './rules.ts';
import type { Candidate, TermList } from './term-list.ts';

/** What a model provides for scoring other texts of the speech that it has just decoded. */
export interface ForcedDecoding {
  /** The id of the model. */
  readonly model: string;
  /** Tokens of a text that follows other words. */
  encode(text: string): readonly number[];
  /** The text that each token adds. */
  pieces(tokens: readonly number[]): readonly string[];
  readonly endToken: number;
  /** The logits from which each token of the hypothesis and its end were chosen. */
  readonly rows: readonly LogitRow[];
  /** The log-probability of each branch, given the tokens before it. */
  score(branches: readonly Branch[]): Promise<readonly number[]>;
}

/** An alternative: `tokens` replace those of the hypothesis from `count` to `until`. The end counts as a token. */
export interface Branch {
  readonly count: number;
  readonly until: number;
  readonly tokens: readonly number[];
}

/** Scores for models that decode token by token: `decode` gives the logits after each token of each branch. */
export const scoreByRows =
  (
    rows: readonly LogitRow[],
    decode: (branches: readonly Omit<Branch, 'until'>[]) => Promise<readonly (readonly LogitRow[])[]>,
  ): ForcedDecoding['score'] =>
  async (branches) => {
    // The last token is only scored, never decoded. A single token needs no decoding: its row is known.
    const asked = branches.map(({ count, tokens }) => ({ count, tokens: tokens.slice(0, -1) }));
    const after = await decode(asked.filter(({ tokens }) => tokens.length > 0));
    let next = 0;
    return branches.map(({ count, tokens }) =>
      sumOver(tokens, [rows[count]!, ...(tokens.length > 1 ? after[next++]! : [])]),
    );
  };

interface Likely extends Candidate {
  readonly tokens: readonly number[];
  /** Range of the hypothesis's tokens that they replace. */
  readonly start: number;
  readonly end: number;
  /** The tokens and the context after them; the first `same` of them equal the hypothesis. */
  readonly all: readonly number[];
  readonly same: number;
  /** Log-probability of what the hypothesis has in their place. */
  readonly replacedLogProbability: number;
  /** How much less likely than `replacedLogProbability` they may be. */
  readonly margin: number;
  /** Upper bound of how far the lead can exceed the least that is accepted. */
  readonly headroom: number;
}

interface Alternative extends Likely {
  /** Log-probability relative to the hypothesis. */
  readonly lead: number;
}

/** Published for `npm run eval:terms`: a text and the terms that were scored in it. */
export interface ScoredTerms {
  readonly words: readonly string[];
  readonly crowding: number;
  readonly alternatives: readonly Pick<
    Alternative,
    'term' | 'from' | 'to' | 'alikeness' | 'margin' | 'headroom' | 'lead'
  >[];
}
const scoredTerms = channel('faircopy:scored-terms');

/** Tokens after the term that are scored too: a wrong term makes them unlikely. */
const CONTEXT_TOKENS = 4;
/** Candidate places examined per word. */
const PLACES_PER_WORD = 6;
const POSSESSIVE = /['’]s$/iu;

export const applyTerms = async (
  hypothesis: Hypothesis,
  terms: TermList,
  decoding: ForcedDecoding,
  { firstToken = 0, checkpoint }: { readonly firstToken?: number; readonly checkpoint: () => void },
): Promise<Hypothesis> => {
  const { tokens } = hypothesis;
  const pieces = decoding.pieces(tokens);
  const groups = tokenGroups(pieces);
  const words = groups.map(({ from, to }) => pieces.slice(from, to).join('').trim());
  const first = groups.findIndex(({ from }) => from >= firstToken);
  if (first === -1) return hypothesis;
  const heard = [...tokens, decoding.endToken];
  const crowding = crowdingOf(terms.size);
  const leastOf = leastAlikeness(heard, groups, decoding.rows, (margin) =>
    alikenessFor(margin, terms.weightMax, crowding),
  );
  const likely: Likely[] = [];
  for (const candidate of terms.candidates(words, first, leastOf).slice(0, PLACES_PER_WORD * words.length)) {
    const own = terms.tokensOf(decoding.model, spelling(candidate, words), decoding.encode);
    // The model has no tokens for it.
    if (own.length === 0) continue;
    const start = groups[candidate.from]!.from;
    const end = groups[candidate.to - 1]!.to;
    const all = [...own, ...heard.slice(end, end + CONTEXT_TOKENS)];
    // The tokens at the start that both have in common need no comparison.
    const same = all.findIndex((token, at) => token !== heard[start + at]);
    if (same === -1) continue;
    const from = start + same;
    const replacedLogProbability = sumOver(heard.slice(from, end + all.length - own.length), decoding.rows.slice(from));
    const margin = marginOf(candidate.term, candidate.alikeness, crowding);
    // The first different token has a known row: the lead is largest if all tokens after it are certain.
    const headroom = logProbabilityOf(decoding.rows[from]!, all[same]!) - replacedLogProbability + margin;
    if (headroom >= TERM_RULES.headroomMin)
      likely.push({ ...candidate, tokens: own, start, end, all, same, replacedLogProbability, margin, headroom });
  }
  const scoredMax = Math.max(TERM_RULES.scoredMin, TERM_RULES.scoredPerWord * words.length);
  const scored = likely.sort((a, b) => b.headroom - a.headroom).slice(0, scoredMax);
  if (scored.length === 0) return hypothesis;
  checkpoint();
  const alternatives = await leads(scored, decoding);
  if (scoredTerms.hasSubscribers) scoredTerms.publish({ words, crowding, alternatives } satisfies ScoredTerms);
  return replaceTokens(hypothesis, chosen(alternatives), words);
};

/**
 * The least alikeness that a term needs to replace some words. All other tokens share the probability that the model
 * did not give to its own, so most words that the model is sure of need no comparison.
 */
const leastAlikeness = (
  heard: readonly number[],
  groups: readonly { readonly from: number; readonly to: number }[],
  rows: readonly LogitRow[],
  alikenessOf: (margin: number) => number,
): ((from: number, to: number) => number) => {
  const heardLikely = heard.map((token, at) => Math.min(0, logProbabilityOf(rows[at]!, token)));
  const othersLikely = heardLikely.map((likely) => Math.log(Math.max(Number.MIN_VALUE, -Math.expm1(likely))));
  return (from, to) => {
    const [start, end] = [groups[from]!.from, groups[to - 1]!.to];
    // The term may begin with all the tokens that it replaces, and differ only after them.
    const other = Math.max(...othersLikely.slice(start, end + 1));
    return alikenessOf(TERM_RULES.headroomMin + sum(heardLikely.slice(start, end + CONTEXT_TOKENS)) - other);
  };
};

/** Scores the alternatives, all in one step if the model can. */
const leads = async (scored: readonly Likely[], decoding: ForcedDecoding): Promise<Alternative[]> => {
  const scores = await decoding.score(
    scored.map(({ start, end, same, all, tokens }) => ({
      count: start + same,
      until: end + all.length - tokens.length,
      tokens: all.slice(same),
    })),
  );
  return scored.map((each, index) => ({ ...each, lead: scores[index]! - each.replacedLogProbability }));
};

/** Each token against the row from which it would be chosen. */
const sumOver = (tokens: readonly number[], rows: readonly LogitRow[]): number =>
  tokens.reduce((total, token, at) => total + logProbabilityOf(rows[at]!, token), 0);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The term as written in place of the words, with their capital, possessive and punctuation. */
const spelling = ({ term, from, to }: Candidate, words: readonly string[]): string => {
  const last = words[to - 1]!;
  const closing = CLOSING.exec(last)?.[0] ?? '';
  const possessive = POSSESSIVE.exec(last.slice(0, last.length - closing.length))?.[0] ?? '';
  const ending = (POSSESSIVE.test(term.text) ? '' : possessive) + closing;
  const isPlain = term.text === term.text.toLowerCase();
  const large = term.text.charAt(0).toUpperCase() + term.text.slice(1);
  const isLarge = /^["“‘([]*\p{Lu}/u.test(words[from]!);
  // A lower-case term may be a carelessly entered name, so it takes the capital of the replaced word.
  return (isPlain && isLarge ? large : term.text) + ending;
};

/** The likeliest alternatives that do not overlap, in the order of the text. */
const chosen = (found: readonly Alternative[]): Alternative[] => {
  const kept: Alternative[] = [];
  for (const each of found.filter(({ lead, margin }) => lead >= -margin).sort((a, b) => b.lead - a.lead))
    if (kept.every(({ from, to }) => each.to <= from || each.from >= to)) kept.push(each);
  return kept.sort((a, b) => a.from - b.from);
};

const replaceTokens = (
  hypothesis: Hypothesis,
  alternatives: readonly Alternative[],
  words: readonly string[],
): Hypothesis => {
  if (alternatives.length === 0) return hypothesis;
  const tokens: number[] = [];
  const logProbabilities: number[] = [];
  const applied: AppliedTerm[] = [];
  let at = 0;
  const keepTo = (end: number) => {
    tokens.push(...hypothesis.tokens.slice(at, end));
    logProbabilities.push(...hypothesis.logProbabilities.slice(at, end));
  };
  for (const { tokens: own, start, end, from, to, term } of alternatives) {
    keepTo(start);
    // The model underrates rare terms, so a term gets the mean log-probability of the tokens that it replaces.
    const replacedLogProbabilities = hypothesis.logProbabilities.slice(start, end);
    const instead = words.slice(from, to).join(' ').replace(CLOSING, '');
    applied.push({
      term: term.text,
      instead,
      from: tokens.length,
      to: tokens.length + own.length,
      replaced: end - start,
    });
    tokens.push(...own);
    logProbabilities.push(...own.map(() => sum(replacedLogProbabilities) / replacedLogProbabilities.length));
    at = end;
  }
  keepTo(hypothesis.tokens.length);
  return { ...hypothesis, tokens, logProbabilities, terms: applied, textWithoutTerms: hypothesis.text };
};
