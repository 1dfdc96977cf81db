// Rounds figures for answers, to as many digits as they can mean.

/** Milliseconds as seconds. */
export const secondsOf = (ms: number): number => Math.round(ms) / 1000;

/** To the microsecond: finer than billing's tolerance, so that shown and billed seconds agree. */
export const exactSeconds = (audioSeconds: number): number => Math.round(audioSeconds * 1e6) / 1e6;

/** A confidence, a probability or its logarithm. */
export const roundedProbability = (probability: number): number => Math.round(probability * 1e4) / 1e4;
