// Known voices: enrols each speaker from one recording and searches for them among the diarized speakers of the others.
import { type Diarization, diarize, type OpenSpeakerModels, type SpeakerAnalysis } from '@faircopy/server/speakers';
import { analyseRecording } from './analyse.ts';
import type { Recording } from './recordings.ts';
import type { Turn } from './rttm.ts';

export interface Trial {
  readonly part: string;
  readonly enrolled: string;
  readonly heard: string;
  readonly similarity: number;
}

const SAMPLE_RATE = 16_000;
const ENROLMENT_SECONDS = { min: 8, max: 30 };
/** Diarized speakers with less speech are ignored. */
const SPEAKER_SECONDS_MIN = 3;

interface Enrolment {
  readonly speaker: string;
  readonly recording: Recording;
  readonly embedding: Float32Array;
}

/** One trial for each enrolment and each diarized speaker of the same part in another recording. */
export const knownVoiceTrials = async (
  recordings: readonly Recording[],
  analyses: readonly SpeakerAnalysis[],
  models: OpenSpeakerModels,
): Promise<Trial[]> => {
  const enrolments: Enrolment[] = [];
  for (const recording of recordings) {
    for (const speaker of new Set(recording.turns.map((turn) => turn.speaker))) {
      const samples = enrolmentAudio(recording, speaker);
      if (!samples) continue;
      const { speakers } = diarize(await analyseRecording(samples, models, {}), { count: 1 });
      if (speakers[0]) enrolments.push({ speaker, recording, embedding: speakers[0].embedding });
    }
  }
  const found = analyses.map((analysis) => diarize(analysis));
  return enrolments.flatMap(({ speaker, recording, embedding }) =>
    recordings.flatMap((other, index) => {
      if (other === recording || other.part !== recording.part) return [];
      return found[index]!.speakers.filter(({ seconds }) => seconds >= SPEAKER_SECONDS_MIN).map((diarized) => ({
        part: other.part,
        enrolled: speaker,
        heard: personOf(diarized.speaker, found[index]!, other.turns),
        similarity: dot(embedding, diarized.embedding),
      }));
    }),
  );
};

/** The turns in which nobody else speaks, concatenated; null if they are too short. */
const enrolmentAudio = ({ turns, samples }: Recording, speaker: string): Float32Array | null => {
  const pieces: Float32Array[] = [];
  let length = 0;
  for (const turn of turns.filter((candidate) => candidate.speaker === speaker)) {
    if (turns.some((other) => other !== turn && other.start < turn.end && other.end > turn.start)) continue;
    const piece = samples.subarray(Math.round(turn.start * SAMPLE_RATE), Math.round(turn.end * SAMPLE_RATE));
    pieces.push(piece);
    length += piece.length;
  }
  if (length < ENROLMENT_SECONDS.min * SAMPLE_RATE) return null;
  const joined = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined.subarray(0, ENROLMENT_SECONDS.max * SAMPLE_RATE);
};

/** The person to whom most of a diarized speaker's speech belongs. */
const personOf = (speaker: number, { turns: found }: Diarization, reference: readonly Turn[]): string => {
  const seconds = new Map<string, number>();
  for (const { startSeconds, endSeconds, speaker: other } of found) {
    if (other !== speaker) continue;
    for (const turn of reference) {
      const overlap = Math.min(turn.end, endSeconds) - Math.max(turn.start, startSeconds);
      if (overlap > 0) seconds.set(turn.speaker, (seconds.get(turn.speaker) ?? 0) + overlap);
    }
  }
  return [...seconds].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['', 0] as const)[0];
};

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0);

const isTarget = ({ enrolled, heard }: Trial): boolean => enrolled === heard;

/** At a threshold, the share of people who are not found and of strangers who are taken for someone else. */
export const errorRates = (trials: readonly Trial[], threshold: number): { missed: number; taken: number } => {
  const targets = trials.filter(isTarget);
  const strangers = trials.filter((trial) => !isTarget(trial));
  return {
    missed: targets.filter(({ similarity }) => similarity < threshold).length / Math.max(1, targets.length),
    taken: strangers.filter(({ similarity }) => similarity >= threshold).length / Math.max(1, strangers.length),
  };
};

/** The threshold at which the two error rates are closest, and their mean there. */
export const equalError = (trials: readonly Trial[]): { threshold: number; rate: number } => {
  let best = { threshold: 0, rate: 1, gap: Number.POSITIVE_INFINITY };
  for (let step = -20; step <= 100; step++) {
    const threshold = step / 100;
    const { missed, taken } = errorRates(trials, threshold);
    const gap = Math.abs(missed - taken);
    const rate = (missed + taken) / 2;
    if (gap < best.gap || (gap === best.gap && rate < best.rate)) best = { threshold, rate, gap };
  }
  return best;
};

export const knownVoiceRow = (part: string, trials: readonly Trial[]): Record<string, string | number> => {
  const percent = (share: number): string => (100 * share).toFixed(1);
  const { threshold, rate } = equalError(trials);
  // Each person is tested at the threshold chosen by the trials without them.
  const people = [...new Set(trials.flatMap(({ enrolled, heard }) => [enrolled, heard]))];
  const left = people.map((person) => {
    const involves = ({ enrolled, heard }: Trial): boolean => enrolled === person || heard === person;
    const chosen = equalError(trials.filter((trial) => !involves(trial))).threshold;
    const own = trials.filter(involves);
    return { ...errorRates(own, chosen), chosen, targets: own.filter(isTarget).length, all: own.length };
  });
  const mean = (pick: (entry: (typeof left)[number]) => number, weigh: (entry: (typeof left)[number]) => number) =>
    left.reduce((sum, entry) => sum + pick(entry) * weigh(entry), 0) /
    Math.max(
      1,
      left.reduce((sum, entry) => sum + weigh(entry), 0),
    );
  const chosen = left.map((entry) => entry.chosen);
  return {
    part,
    people: people.length,
    'same person': trials.filter(isTarget).length,
    strangers: trials.filter((trial) => !isTarget(trial)).length,
    'equal error %': percent(rate),
    'at similarity': threshold,
    'thresholds without each person': `${Math.min(...chosen)}–${Math.max(...chosen)}`,
    'missed %': percent(
      mean(
        (entry) => entry.missed,
        (entry) => entry.targets,
      ),
    ),
    'taken %': percent(
      mean(
        (entry) => entry.taken,
        (entry) => entry.all - entry.targets,
      ),
    ),
  };
};
