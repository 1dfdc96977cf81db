// How far an error rate may be off by chance: resampling whole speakers, since errors of one speaker come together.
import { seededRandom } from '#testing';

/** What one speaker's clips add to an error rate. */
export interface SpeakerErrors {
  readonly errors: number;
  readonly words: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** One system's rate less another's, in percent of the words. */
export interface Difference extends Interval {
  readonly difference: number;
  /** How often chance alone would give a difference as large as this, either way. */
  readonly chance: number;
}

const ROUNDS = 2_000;
const SEED = 0x9e3779b9;
const OUTSIDE = 0.025;

const percentOf = (speakers: readonly SpeakerErrors[]): number => {
  const words = speakers.reduce((sum, speaker) => sum + speaker.words, 0);
  return words === 0 ? 0 : (100 * speakers.reduce((sum, speaker) => sum + speaker.errors, 0)) / words;
};

/** A statistic of as many speakers, drawn with replacement, again and again; in rising order. */
const resampled = (speakers: number, statistic: (drawn: readonly number[]) => number): number[] => {
  // The same recordings give the same interval.
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
