// Pause before a word and confidence of its window as one small number, as the training does (training/disfluency/signals.py).
import type { Token } from '../token.ts';

const SHORT_PAUSE_MS = 180;
const LONG_PAUSE_MS = 600;
const LOW_CONFIDENCE = 0.5;
const HIGH_CONFIDENCE = 0.85;

/** Milliseconds of silence before the word; null inside a recognised window, where times are only estimated. */
export const pauseBefore = (token: Token, before: Token | undefined): number | null =>
  before && before.piece !== token.piece && token.endMs > 0 ? token.startMs - before.endMs : null;

const pauseLevel = (ms: number | null): number =>
  ms === null ? 0 : ms < SHORT_PAUSE_MS ? 1 : ms < LONG_PAUSE_MS ? 2 : 3;

const confidenceLevel = (value: number | null): number =>
  value === null ? 0 : value < LOW_CONFIDENCE ? 1 : value < HIGH_CONFIDENCE ? 2 : 3;

export const signalOf = (pauseMs: number | null, confidence: number | null): number =>
  pauseLevel(pauseMs) * 4 + confidenceLevel(confidence);
