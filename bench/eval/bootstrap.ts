// Confidence intervals of error rates. Resamples whole speakers, because the errors of one speaker are correlated.
import { seededRandom } from '#testing';

/** The contribution of one speaker's clips to an error rate. */
export interface SpeakerErrors {
  readonly errors: number;
  readonly words: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** One system's error rate minus another's, in percentage points. */
export interface Difference extends Interval {
  readonly difference: number;
  /** The two-sided probability of a difference this large by chance alone. */
  readonly chance: number;
}

const ROUNDS = 2_000;
const SEED = 0x9e3779b9;
const OUTSIDE = 0.025;

const percentOf = (speakers: readonly SpeakerErrors[]): number => {
  const words = speakers.reduce((sum, speaker) => sum + speaker.words, 0);
  return words === 0 ? 0 : (100 * speakers.reduce((sum, speaker) => sum + speaker.errors, 0)) / words;
};

/** A statistic over bootstrap samples of the speakers, drawn with replacement; in ascending order. */
const resampled = (speakers: number, statistic: (drawn: readonly number[]) => number): number[] => {
  // A fixed seed: the same recordings give the same interval.
  const random = seededRandom(SEED);
  const round = () => statistic(Array.from({ length: speakers }, () => Math.floor(random() * speakers)));
  return Array.from({ length: ROUNDS }, round).sort((a, b) => a - b);
};

const middleOf = (sorted: readonly number[]): Interval => ({
  low: sorted[Math.floor(OUTSIDE * sorted.length)] ?? 0,
  high: sorted[Math.ceil((1 - OUTSIDE) * sorted.length) - 1] ?? 0,
});

/** The middle 95 % of the error rates in percent. */
export const errorInterval = (speakers: readonly SpeakerErrors[]): Interval =>
  middleOf(resampled(speakers.length, (drawn) => percentOf(drawn.map((nth) => speakers[nth]!))));

/** Two systems on the same speakers, in the same order. */
export const compareErrors = (ours: readonly SpeakerErrors[], theirs: readonly SpeakerErrors[]): Difference => {
  const lead = (drawn: readonly number[]) =>
    percentOf(drawn.map((nth) => ours[nth]!)) - percentOf(drawn.map((nth) => theirs[nth]!));
  const differences = resampled(ours.length, lead);
  const atLeast = differences.filter((value) => value >= 0).length;
  const atMost = differences.filter((value) => value <= 0).length;
  return {
    ...middleOf(differences),
    difference: lead(ours.map((_, nth) => nth)),
    chance: Math.min(1, (2 * Math.min(atLeast, atMost)) / differences.length),
  };
};
