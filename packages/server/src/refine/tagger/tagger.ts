// Tags the words that a speaker repeated, abandoned or corrected.
import { type Deletion, NOTHING_TAGGED, type Tagger, type TaggerResult } from '../disfluency-tagger.ts';
import { hasText, render, type Token } from '../token.ts';
import { isAllowed } from './allowed-cuts.ts';
import { type Cut, type CutKind, decode } from './decode.ts';
import { closesWithComma, withEdges } from './edges.ts';
import { isSuspect } from './is-suspect.ts';
import { signalOf } from './signals.ts';
import { KINDS, type KindProbabilities, type TaggerModel, WINDOW_PIECES_MAX } from './tagger-model.ts';
import { type Window, windowsOf } from './windows.ts';
import { PLAIN_FILLERS } from './words.ts';

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
  model.probabilities(
    tokens.slice(start, end).map((token, n) => ({
      text: render(token),
      signal: signalOf(token, tokens[start + n - 1]),
    })),
  );

/** Leaves fillers at the edges to the rules, which also correct the commas around them. Adds a dash after the cut. */
const trimmed = (tokens: readonly Token[], cut: Cut): Cut => {
  let [from, to] = [cut.start, cut.end];
  while (from < to && PLAIN_FILLERS.has(tokens[from]!.key)) from += 1;
  while (to > from && PLAIN_FILLERS.has(tokens[to - 1]!.key)) to -= 1;
  while (to < tokens.length && !hasText(tokens[to]!)) to += 1;
  return { ...cut, start: from, end: to };
};

const REPAIR = KINDS.indexOf('repair');

/** The start of the cue at the end of a cut: right after the last repaired word. */
const cueStartOf = (probabilities: readonly KindProbabilities[], { start, end }: Cut): number => {
  let at = end;
  while (at > start && probabilities[at - 1]![REPAIR]! < 0.5) at -= 1;
  return at;
};

interface EditedCut extends Cut {
  readonly comma: boolean;
}

/** The allowed cuts of a window. */
const cutsOf = (tokens: readonly Token[], window: Window, probabilities: readonly KindProbabilities[]): EditedCut[] => {
  const seen = tokens.slice(window.start, window.end);
  const allowed: EditedCut[] = [];
  for (const found of decode(seen, probabilities)) {
    const cueStart = cueStartOf(probabilities, found);
    const cut = withEdges(seen, found, cueStart);
    if (isAllowed(seen, cut, allowed.length > 0))
      allowed.push({ ...trimmed(seen, cut), comma: closesWithComma(seen, cut, cueStart) });
  }
  return allowed.filter(({ start }) => window.start + start >= window.from && window.start + start < window.to);
};

const REASONS: Readonly<Record<CutKind, string>> = {
  repeat: 'a repeat',
  restart: 'a false start',
  correction: 'corrected by the speaker',
};

const warn = (failure: unknown): void =>
  process.emitWarning(
    `the disfluency tagger is unavailable, so only the rules refine text (${failure instanceof Error ? failure.name : 'unknown'})`,
    {
      type: 'RefinementWarning',
      code: 'FAIRCOPY_TAGGER_ABSENT',
    },
  );

/** The service's tagger. The model is trained only on English. */
export class TrainedTagger implements Tagger {
  #model: Promise<TaggerModel | null>;
  readonly #report: (failure: unknown) => void;

  constructor(load: () => Promise<TaggerModel>, report: (failure: unknown) => void = warn) {
    this.#report = report;
    this.#model = load().catch((failure: unknown) => this.#fail(failure));
  }

  async tag(words: readonly Token[], language: string): Promise<TaggerResult> {
    if (language !== 'en') return NOTHING_TAGGED;
    const model = await this.#model;
    if (!model) return NOTHING_TAGGED;
    try {
      return await tagWith(model, words);
    } catch (failure) {
      // The failure is reported once, and the tagger stays off.
      this.#model = Promise.resolve(this.#fail(failure));
      return NOTHING_TAGGED;
    }
  }

  #fail(failure: unknown): null {
    this.#report(failure);
    return null;
  }
}

const tagWith = async (model: TaggerModel, tokens: readonly Token[]): Promise<TaggerResult> => {
  const deletions: Deletion[] = [];
  const disfluencies: (number | undefined)[] = Array<undefined>(tokens.length);
  for (const whole of windowsOf(tokens)) {
    if (!isSuspect(tokens, whole.start, whole.end)) continue;
    for (const window of fitting(tokens, whole, model)) {
      const probabilities = await askModel(tokens, window, model);
      if (!probabilities) return { deletions, disfluencies };
      for (let n = window.from; n < window.to; n++) disfluencies[n] = 1 - probabilities[n - window.start]![0]!;
      for (const { start, end, kind, comma } of cutsOf(tokens, window, probabilities)) {
        const from = Math.max(window.start + start, deletions.at(-1)?.to ?? 0);
        const to = window.start + end;
        // Never delete a whole text.
        if (to > from && to - from < tokens.length) deletions.push({ from, to, reason: REASONS[kind], comma });
      }
    }
  }
  return { deletions, disfluencies };
};
