// Fits the term rules to alternatives that were scored with looser rules.
import type { ContestedTerms, ScoredTerms, TermRules } from '@faircopy/server/pipeline';
import { plainWords } from '../eval/normalise.ts';

/** Rules so loose that they score almost every alternative that any other rules would accept. */
export const LOOSE: Partial<TermRules> = {
  alikeMin: 0.6,
  shortAlikeMin: 0.64,
  sameSound: 18,
  perTenth: 1,
  headroomMin: 0,
  scoredPerWord: 2,
  scoredMin: 20,
};
/** Short terms need this much more alikeness. */
const SHORT_MORE = 0.04;

export type Fitted = Pick<TermRules, 'alikeMin' | 'sameSound' | 'perTenth'>;
type Alternative = ScoredTerms['alternatives'][number];

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, nth) => Number((from + nth * step).toFixed(2)));

const GRID: readonly Fitted[] = range(0.6, 0.8, 0.02).flatMap((alikeMin) =>
  range(4, 17, 0.5).flatMap((sameSound) => range(0, 3, 0.2).map((perTenth) => ({ alikeMin, sameSound, perTenth }))),
);

/** The errors of the words against the part of the reference that fits them best. */
const errorsWithin = (words: readonly string[], reference: readonly string[]): number => {
  let row = reference.map(() => 0);
  row.push(0);
  for (const [at, word] of words.entries()) {
    const next = [at + 1];
    for (const [index, wanted] of reference.entries())
      next.push(Math.min(row[index]! + (wanted === word ? 0 : 1), row[index + 1]! + 1, next[index]! + 1));
    row = next;
  }
  return Math.min(...row);
};

/** A text for which terms were scored, and its errors when some of them are accepted. */
export class ScoredText {
  readonly #reference: readonly string[];
  readonly #scored: ScoredTerms;
  /** Most likely first, without those that no rules accept. */
  readonly #alternatives: readonly Alternative[];
  readonly #errors = new Map<string, number>();

  constructor(scored: ScoredTerms, reference: string) {
    this.#reference = plainWords(reference, 'en');
    this.#scored = scored;
    this.#alternatives = scored.alternatives.filter(({ lead }) => lead > -25).sort((a, b) => b.lead - a.lead);
  }

  /** Accepts alternatives in the same way as `applyTerms`. */
  accepted({ alikeMin, sameSound, perTenth }: Fitted): Alternative[] {
    const kept: Alternative[] = [];
    for (const each of this.#alternatives) {
      const margin =
        (sameSound - 10 * perTenth * (1 - each.alikeness)) * (each.term.weight ?? 1) - this.#scored.crowding;
      if (
        each.alikeness >= alikeMin &&
        each.lead >= -margin &&
        kept.every(({ from, to }) => each.to <= from || each.from >= to)
      )
        kept.push(each);
    }
    return kept;
  }

  /** The number of wrong words, plus one for each accepted term that is not said. */
  costOf(accepted: readonly Alternative[]): number {
    return this.#errorsWith(accepted) + accepted.filter((each) => !this.#isSaid(each)).length;
  }

  #isSaid({ term }: Alternative): boolean {
    return plainWords(term.text, 'en').every((word) => this.#reference.includes(word));
  }

  #errorsWith(accepted: readonly Alternative[]): number {
    const key = accepted.map((each) => this.#alternatives.indexOf(each)).join();
    const known = this.#errors.get(key);
    if (known !== undefined) return known;
    const { words } = this.#scored;
    const written = words.flatMap((word, at) => {
      const covering = accepted.find(({ from, to }) => at >= from && at < to);
      return covering ? (at === covering.from ? [covering.term.text] : []) : [word];
    });
    const errors = errorsWithin(plainWords(written.join(' '), 'en'), this.#reference);
    this.#errors.set(key, errors);
    return errors;
  }

  /** The alternatives that are said and remove errors, and those that are not said. */
  judged(): { readonly right: Alternative[]; readonly wrong: Alternative[] } {
    const without = this.costOf([]);
    return {
      right: this.#alternatives.filter((each) => this.#isSaid(each) && this.costOf([each]) < without),
      wrong: this.#alternatives.filter((each) => !this.#isSaid(each)),
    };
  }
}

const middle = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length;

/** The member of the set that is nearest to its mean. */
const mostCentral = (set: readonly Fitted[]): Fitted => {
  const [alike, same, tenth] = [
    middle(set.map(({ alikeMin }) => alikeMin)),
    middle(set.map(({ sameSound }) => sameSound)),
    middle(set.map(({ perTenth }) => perTenth)),
  ];
  const distance = ({ alikeMin, sameSound, perTenth }: Fitted) =>
    ((alikeMin - alike) / 0.2) ** 2 + ((sameSound - same) / 13) ** 2 + ((perTenth - tenth) / 3) ** 2;
  return set.reduce((best, each) => (distance(each) < distance(best) ? each : best));
};

/** The rules with the least cost; of equal ones, the most central. */
export const fitRules = (texts: readonly ScoredText[]): Fitted & Pick<TermRules, 'shortAlikeMin'> => {
  const costs = GRID.map((rules) => texts.reduce((total, text) => total + text.costOf(text.accepted(rules)), 0));
  const least = Math.min(...costs);
  const fitted = mostCentral(GRID.filter((_, at) => costs[at] === least));
  return { ...fitted, shortAlikeMin: Number((fitted.alikeMin + SHORT_MORE).toFixed(2)) };
};

/** A contested term is right if all its words were said. */
export const isRight = ({ own }: Pick<ContestedTerms, 'own'>, reference: string): boolean => {
  const said = new Set(plainWords(reference, 'en'));
  return plainWords(own, 'en').every((word) => said.has(word));
};

/** The lead above which other words overrule a term, with the fewest wrong decisions; of equal ones, the middle. */
export const fitOverruling = (contests: readonly { readonly lead: number; readonly isRight: boolean }[]): number => {
  const leads = range(-0.3, 0.9, 0.05);
  const wrong = leads.map((least) => contests.filter((each) => each.isRight === each.lead > least).length);
  const fewest = Math.min(...wrong);
  const best = leads.filter((_, at) => wrong[at] === fewest);
  return best[Math.floor((best.length - 1) / 2)]!;
};
