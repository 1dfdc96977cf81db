// Scores transcripts by folder: error rate, correctly detected languages, hallucinated words in silence.
import { align } from './align.ts';
import { CHARACTER_LANGUAGES, plainWords, slotsOf } from './normalise.ts';

export interface ManifestRow {
  readonly file: string;
  /** Null: no reference. Empty: no speech. */
  readonly text: string | null;
  readonly language?: string | null;
  readonly seconds?: number | null;
  readonly score?: boolean;
  readonly speaker?: string;
}

export interface Hypothesis {
  readonly file: string;
  readonly text: string;
  readonly language?: string | null;
  readonly seconds_wall?: number;
}

export interface FolderScore {
  readonly folder: string;
  clips: number;
  scored: number;
  referenceWords: number;
  metric: 'WER' | 'CER';
  substitutions: number;
  deletions: number;
  insertions: number;
  languagesScored: number;
  languagesRight: number;
  silentClips: number;
  hallucinatedWords: number;
  audioSeconds: number;
  wallSeconds: number;
}

const emptyScore = (folder: string): FolderScore => ({
  folder,
  clips: 0,
  scored: 0,
  referenceWords: 0,
  metric: 'WER',
  substitutions: 0,
  deletions: 0,
  insertions: 0,
  languagesScored: 0,
  languagesRight: 0,
  silentClips: 0,
  hallucinatedWords: 0,
  audioSeconds: 0,
  wallSeconds: 0,
});

const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '.') : '.');

export const errorRatePercent = (score: FolderScore): number | null =>
  score.referenceWords === 0
    ? null
    : (100 * (score.substitutions + score.deletions + score.insertions)) / score.referenceWords;

const scoreText = (score: FolderScore, row: ManifestRow, text: string, language: string): void => {
  const words = slotsOf(text, language);
  if (row.text === '') {
    score.silentClips++;
    score.hallucinatedWords += words.reduce((sum, slot) => sum + (slot[0]?.length ?? 0), 0);
    return;
  }
  const reference = plainWords(row.text ?? '', language);
  const errors = align(reference, words);
  score.scored++;
  score.referenceWords += reference.length;
  score.substitutions += errors.substitutions;
  score.deletions += errors.deletions;
  score.insertions += errors.insertions;
};

/** One score per folder, in manifest order. Rows without a hypothesis are ignored. */
export const scoreFolders = (
  manifest: readonly ManifestRow[],
  hypotheses: ReadonlyMap<string, Hypothesis>,
): FolderScore[] => {
  const scores = new Map<string, FolderScore>();
  for (const row of manifest) {
    const hypothesis = hypotheses.get(row.file);
    if (!hypothesis) continue;
    const folder = folderOf(row.file);
    const score = scores.get(folder) ?? emptyScore(folder);
    scores.set(folder, score);
    const language = row.language ?? '';
    if (CHARACTER_LANGUAGES.has(language)) score.metric = 'CER';
    score.clips++;
    score.audioSeconds += row.seconds ?? 0;
    score.wallSeconds += hypothesis.seconds_wall ?? 0;
    if (language && hypothesis.language) {
      score.languagesScored++;
      if (hypothesis.language === language) score.languagesRight++;
    }
    if (row.text !== null && row.score !== false) scoreText(score, row, hypothesis.text, language);
  }
  return [...scores.values()];
};
