// Sums the scores of recordings into table rows.
import type { DiarizationErrors } from './score.ts';

export interface RecordingScore {
  readonly errors: DiarizationErrors;
  readonly errorsWithCollar: DiarizationErrors;
  readonly words: number;
  readonly wordsRight: number;
  readonly speakers: number;
  readonly speakersFound: number;
}

const percent = (part: number, whole: number): string => (whole > 0 ? ((100 * part) / whole).toFixed(1) : '-');

const errorPercent = (scores: readonly DiarizationErrors[]): string => {
  const sum = (pick: (errors: DiarizationErrors) => number) =>
    scores.reduce((total, errors) => total + pick(errors), 0);
  return percent(
    sum(({ missed, falseAlarm, confused }) => missed + falseAlarm + confused),
    sum(({ total }) => total),
  );
};

export const totalRow = (name: string, scores: readonly RecordingScore[]): Record<string, string | number> => {
  const plain = scores.map(({ errors }) => errors);
  const sum = (pick: (score: RecordingScore) => number) => scores.reduce((total, score) => total + pick(score), 0);
  const speech = sum(({ errors }) => errors.total);
  return {
    part: name,
    files: scores.length,
    'DER %': errorPercent(plain),
    'collar 0.25 s': errorPercent(scores.map(({ errorsWithCollar }) => errorsWithCollar)),
    'missed %': percent(
      sum(({ errors }) => errors.missed),
      speech,
    ),
    'false %': percent(
      sum(({ errors }) => errors.falseAlarm),
      speech,
    ),
    'wrong %': percent(
      sum(({ errors }) => errors.confused),
      speech,
    ),
    'words right %': percent(
      sum(({ wordsRight }) => wordsRight),
      sum(({ words }) => words),
    ),
    'count right': `${scores.filter(({ speakers, speakersFound }) => speakers === speakersFound).length}/${scores.length}`,
    'off by > 2': scores.filter(({ speakers, speakersFound }) => Math.abs(speakers - speakersFound) > 2).length,
  };
};
