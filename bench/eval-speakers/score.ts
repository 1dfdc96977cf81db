// Computes diarization errors and the number of words with the right speaker.
import { bestAssignment } from './assignment.ts';
import type { Turn, Word } from './rttm.ts';

const STEP_SECONDS = 0.01;

/** In seconds of speech. Overlapped speech counts once per speaker. */
export interface DiarizationErrors {
  readonly total: number;
  readonly missed: number;
  readonly falseAlarm: number;
  readonly confused: number;
}

const speakersOf = (turns: readonly { readonly speaker: string }[]): string[] =>
  [...new Set(turns.map(({ speaker }) => speaker))].sort();

const step = (seconds: number): number => {
  // Rounds halves to the even step, as Python does.
  const exact = seconds / STEP_SECONDS;
  const below = Math.floor(exact);
  const rest = exact - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
};

const activity = (turns: readonly Turn[], names: readonly string[], steps: number): Uint8Array[] => {
  const rows = names.map(() => new Uint8Array(steps));
  for (const { start, end, speaker } of turns) rows[names.indexOf(speaker)]!.fill(1, step(start), step(end));
  return rows;
};

/** Steps within `collar` seconds of a reference boundary are excluded. */
export const diarizationErrors = (
  reference: readonly Turn[],
  hypothesis: readonly Turn[],
  collar: number,
): DiarizationErrors => {
  const end = Math.max(STEP_SECONDS, ...[...reference, ...hypothesis].map((turn) => turn.end));
  const steps = step(end) + 1;
  const wanted = activity(reference, speakersOf(reference), steps);
  const found = activity(hypothesis, speakersOf(hypothesis), steps);
  const isLeftOut = new Uint8Array(steps);
  const width = step(collar);
  for (const { start, end: stop } of reference) {
    for (const boundary of [step(start), step(stop)]) {
      isLeftOut.fill(1, Math.max(0, boundary - width), boundary + width);
    }
  }
  const overlap = wanted.map((row) => found.map((column) => together(row, column, isLeftOut)));
  const match = bestAssignment(overlap);
  let [total, missed, falseAlarm, confused] = [0, 0, 0, 0];
  for (let at = 0; at < steps; at++) {
    if (isLeftOut[at]) continue;
    const speaking = wanted.reduce((sum, row) => sum + row[at]!, 0);
    const heard = found.reduce((sum, row) => sum + row[at]!, 0);
    const right = match.reduce<number>(
      (sum, column, row) => sum + (column === null ? 0 : wanted[row]![at]! & found[column]![at]!),
      0,
    );
    total += speaking;
    missed += Math.max(0, speaking - heard);
    falseAlarm += Math.max(0, heard - speaking);
    confused += Math.min(speaking, heard) - right;
  }
  const seconds = (count: number): number => count * STEP_SECONDS;
  return {
    total: seconds(total),
    missed: seconds(missed),
    falseAlarm: seconds(falseAlarm),
    confused: seconds(confused),
  };
};

const together = (a: Uint8Array, b: Uint8Array, isLeftOut: Uint8Array): number => {
  let count = 0;
  for (let at = 0; at < a.length; at++) if (!isLeftOut[at]) count += a[at]! & b[at]!;
  return count;
};

/** The number of words labelled with their reference speaker, under the best matching of labels to speakers. */
export const wordsRight = (words: readonly Word[], labels: readonly (number | null)[]): number => {
  const names = speakersOf(words);
  const speakers = Math.max(0, ...labels.map((label) => (label ?? -1) + 1));
  const counts = names.map(() => new Array<number>(speakers).fill(0));
  words.forEach(({ speaker }, index) => {
    const label = labels[index];
    if (label != null) counts[names.indexOf(speaker)]![label]! += 1;
  });
  return bestAssignment(counts).reduce<number>(
    (sum, column, row) => sum + (column === null ? 0 : counts[row]![column]!),
    0,
  );
};
