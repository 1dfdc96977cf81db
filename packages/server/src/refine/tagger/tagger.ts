// The tagger: which words of a text a speaker took back, asked of the model where something looks like it.
import { type Deletion, type Judgement, type Tagger, UNJUDGED } from '../deletions.ts';
import { render, type Token } from '../token.ts';
import { type Cut, type CutKind, decode } from './decode.ts';
import { losesComma, withEdges } from './edges.ts';
import { isAllowed } from './guard.ts';
import { pauseBefore, signalOf } from './signals.ts';
import { KINDS, type KindOdds, type TaggerModel, WINDOW_PIECES_MAX } from './tagger-model.ts';
import { isSuspect } from './trigger-words.ts';
import { type Window, windowsOf } from './windows.ts';

const fits = (tokens: readonly Token[], { start, end }: Window, model: TaggerModel): boolean => {
  let pieces = 2;
  for (let n = start; n < end; n++) pieces += model.size(render(tokens[n]!));
  return pieces <= WINDOW_PIECES_MAX;
};

const halves = (window: Window): Window[] => {
  const middle = (window.start + window.end) >> 1;
  return [
    { start: window.start, end: middle, from: window.from, to: Math.min(window.to, middle) },
    { start: middle, end: window.end, from: Math.max(window.from, middle), to: window.to },
  ];
};

const fitting = (tokens: readonly Token[], window: Window, model: TaggerModel): Window[] =>
  window.end - window.start < 2 || fits(tokens, window, model)
    ? [window]
    : halves(window).flatMap((half) => fitting(tokens, half, model));

const askModel = (tokens: readonly Token[], { start, end }: Window, model: TaggerModel) =>
  model.odds(
    tokens.slice(start, end).map((token, n) => ({
      text: render(token),
      signal: signalOf(pauseBefore(token, tokens[start + n - 1]), null),
    })),
  );

/** Sounds that the rules always take out. */
const PLAIN_SOUND = /^(?:um|uh|er|erm)$/u;
const isBare = (token: Token): boolean => !/[\p{L}\p{N}]/u.test(token.key);

/** Sounds at the edges are left to the rules, which mend the commas around them; a dash after the cut goes with it. */
const trimmed = (tokens: readonly Token[], cut: Cut): Cut => {
  let [from, to] = [cut.start, cut.end];
  while (from < to && PLAIN_SOUND.test(tokens[from]!.key)) from += 1;
  while (to > from && PLAIN_SOUND.test(tokens[to - 1]!.key)) to -= 1;
  while (to < tokens.length && isBare(tokens[to]!)) to += 1;
  return { ...cut, start: from, end: to };
};

const REPAIR = KINDS.indexOf('repair');

/** Where the cue at the end of a cut begins: after the last word that was said by mistake. */
const cueStartOf = (odds: readonly KindOdds[], { start, end }: Cut): number => {
  let at = end;
  while (at > start && odds[at - 1]![REPAIR]! < 0.5) at -= 1;
  return at;
};

interface MendedCut extends Cut {
  readonly comma: boolean;
}

/** Cuts of one window, among the words whose answer counts. */
const cutsOf = (tokens: readonly Token[], window: Window, odds: readonly KindOdds[]): MendedCut[] => {
  const seen = tokens.slice(window.start, window.end);
  const allowed: MendedCut[] = [];
  for (const found of decode(seen, odds)) {
    const cueStart = cueStartOf(odds, found);
    const cut = withEdges(seen, found, cueStart);
    if (isAllowed(seen, cut, allowed.length > 0))
      allowed.push({ ...trimmed(seen, cut), comma: losesComma(seen, cut, cueStart) });
  }
  return allowed.filter(({ start }) => window.start + start >= window.from && window.start + start < window.to);
};

const REASONS: Readonly<Record<CutKind, string>> = {
  repeat: 'said twice',
  restart: 'begun again',
  correction: 'taken back by the speaker',
};

const warn = (failure: unknown): void =>
  process.emitWarning(
    `the tagger is not in use, the rules serve alone (${failure instanceof Error ? failure.name : 'unknown'})`,
    {
      type: 'RefinementWarning',
      code: 'FAIRCOPY_TAGGER_ABSENT',
    },
  );

/** The tagger of the service. English only: the model knows no other language. */
export class TrainedTagger implements Tagger {
  #model: Promise<TaggerModel | null>;
  readonly #report: (failure: unknown) => void;

  constructor(load: () => Promise<TaggerModel>, report: (failure: unknown) => void = warn) {
    this.#report = report;
    this.#model = load().catch((failure: unknown) => this.#fail(failure));
  }

  async judge(words: readonly Token[], language: string): Promise<Judgement> {
    if (language !== 'en') return UNJUDGED;
    const model = await this.#model;
    if (!model) return UNJUDGED;
    try {
      return await judge(words, model);
    } catch (failure) {
      // Said once: from here on the rules serve alone.
      this.#model = Promise.resolve(this.#fail(failure));
      return UNJUDGED;
    }
  }

  #fail(failure: unknown): null {
    this.#report(failure);
    return null;
  }
}

const judge = async (tokens: readonly Token[], model: TaggerModel): Promise<Judgement> => {
  const deletions: Deletion[] = [];
  const slips: (number | undefined)[] = Array<undefined>(tokens.length);
  for (const whole of windowsOf(tokens)) {
    if (!isSuspect(tokens, whole.start, whole.end)) continue;
    for (const window of fitting(tokens, whole, model)) {
      const odds = await askModel(tokens, window, model);
      if (!odds) return { deletions, slips };
      for (let n = window.from; n < window.to; n++) slips[n] = 1 - odds[n - window.start]![0]!;
      for (const { start, end, kind, comma } of cutsOf(tokens, window, odds)) {
        const from = Math.max(window.start + start, deletions.at(-1)?.to ?? 0);
        const to = window.start + end;
        // A text is never emptied.
        if (to > from && to - from < tokens.length) deletions.push({ from, to, reason: REASONS[kind], comma });
      }
    }
  }
  return { deletions, slips };
};
