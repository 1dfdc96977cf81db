// The interface of end-of-turn detection: from what was said and how, the probability that the speaker has finished.

/** A pause in a turn. */
export interface TurnPause {
  readonly kind: 'turn';
  /** The audio at 16 kHz right before the pause; shorter audio counts as preceded by silence. */
  readonly samples: Float32Array;
  /** The words of the turn so far. */
  readonly text: string;
  /** From the first speech of the turn to the pause. */
  readonly turnSeconds: number;
}

export interface TurnDetector {
  /** For each length of the pause in PAUSE_SECONDS, the probability that the turn has ended. */
  chances(pause: TurnPause): Promise<readonly number[]>;
}

const FIRST_SECONDS = 0.1;
const STEP_SECONDS = 0.02;

/** Pause lengths that the model was trained on; after the last one, its probability no longer changes. */
export const PAUSE_SECONDS: readonly number[] = Array.from(
  { length: 26 },
  (_, at) => FIRST_SECONDS + at * STEP_SECONDS,
);

/** The probability after a pause of this length; 0 while it is too short to judge. */
export const chanceAfter = (chances: readonly number[], pauseSeconds: number): number => {
  const index = Math.floor((pauseSeconds - FIRST_SECONDS) / STEP_SECONDS + 1e-6);
  return index < 0 ? 0 : (chances[Math.min(index, chances.length - 1)] ?? 0);
};
