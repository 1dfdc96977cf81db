// Encodes the pause before a word for the tagger's network (see training/disfluency/signals.py).
import type { Token } from '../token.ts';

const SHORT_PAUSE_MS = 180;
const LONG_PAUSE_MS = 600;

/** Each pause level has four confidence levels. The tagger always passes the first: confidence unknown. */
const CONFIDENCE_LEVELS = 4;

/** Milliseconds of silence before the word; null inside a window, where times are only estimates. */
export const knownPauseMs = (token: Token, before: Token | undefined): number | null =>
  before && before.piece !== token.piece && token.endMs > 0 ? token.startMs - before.endMs : null;

const pauseLevel = (ms: number | null): number =>
  ms === null ? 0 : ms < SHORT_PAUSE_MS ? 1 : ms < LONG_PAUSE_MS ? 2 : 3;

export const signalOf = (token: Token, before: Token | undefined): number =>
  pauseLevel(knownPauseMs(token, before)) * CONFIDENCE_LEVELS;
