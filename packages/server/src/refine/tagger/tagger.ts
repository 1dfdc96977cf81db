// The tagger: which words of a text a speaker took back, asked of the model where something looks like it.
import { render, type Token } from '../token.ts';
import { type Cut, type CutKind, decode } from './decode.ts';
import { isAllowed } from './guard.ts';
import { pauseBefore, signalOf } from './signals.ts';
import { isSuspect } from './suspects.ts';
import type { KindOdds, TaggerModel } from './tagger-model.ts';
import { WINDOW_PIECES_MAX } from './tagger-model.ts';
import { type Window, windowsOf } from './windows.ts';

/** Words to take out, by where they begin in the raw text. */
export type CutWords = ReadonlyMap<number, CutKind>;

/** Words are at most this long for the count of pieces; longer ones are no words of speech. */
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

/** Cuts of one window, among the words whose answer counts. */
const cutsOf = (tokens: readonly Token[], window: Window, odds: readonly KindOdds[]): Cut[] => {
  const seen = tokens.slice(window.start, window.end);
  const allowed: Cut[] = [];
  for (const cut of decode(seen, odds)) if (isAllowed(seen, cut, allowed.length > 0)) allowed.push(cut);
  return allowed.filter(({ start }) => window.start + start >= window.from && window.start + start < window.to);
};

/** English only: the model knows no other language. */
export const findCuts = async (
  tokens: readonly Token[],
  model: TaggerModel,
  signal?: AbortSignal,
): Promise<CutWords> => {
  const cuts = new Map<number, CutKind>();
  for (const whole of windowsOf(tokens)) {
    if (!isSuspect(tokens, whole.start, whole.end)) continue;
    for (const window of fitting(tokens, whole, model)) {
      signal?.throwIfAborted();
      const odds = await askModel(tokens, window, model);
      if (!odds) return cuts;
      for (const { start, end, kind } of cutsOf(tokens, window, odds))
        for (let n = start; n < end; n++) cuts.set(tokens[window.start + n]!.rawStart, kind);
    }
  }
  return cuts;
};
