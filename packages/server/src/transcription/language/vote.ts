// The language of a window and of the whole recording, from the guesses of its recognised windows.
import type { Recognition } from '../../speech/recogniser.ts';

/** One recognised window and how much speech it holds. */
export interface LanguageEvidence {
  readonly recognition: Recognition;
  readonly voicedMs: number;
}

/** Minimum probability for reporting a language, of the recording or of one window. */
const SHARE_MIN = 0.35;

/** Lower bound, so that a single window cannot rule out a language. */
const PROBABILITY_MIN = 0.01;

/**
 * The language of the recording: log-probabilities are pooled over all of its speech, weighted by length. The
 * probability that a window leaves for languages it does not name counts as one more language. Null when unclear.
 */
export const voteLanguage = (windows: readonly LanguageEvidence[]): string | null => {
  const spoken = windows.flatMap(({ recognition, voicedMs }) =>
    recognition.text.trim() === '' ? [] : [{ recognition, voicedMs: Math.max(1, voicedMs) }],
  );
  const votedMs = spoken.reduce((sum, { voicedMs }) => sum + voicedMs, 0);
  const named = new Set(spoken.flatMap(({ recognition }) => recognition.languages.map(({ language }) => language)));
  const pooledOf = (probabilityIn: (recognition: Recognition) => number): number =>
    Math.exp(
      spoken.reduce(
        (sum, { recognition, voicedMs }) =>
          sum + (voicedMs / votedMs) * Math.log(Math.max(probabilityIn(recognition), PROBABILITY_MIN)),
        0,
      ),
    );
  const shares = [...named].map((language) => [language, pooledOf((each) => probabilityOf(each, language))] as const);
  const unnamed = pooledOf(({ languages }) => 1 - languages.reduce((sum, { probability }) => sum + probability, 0));
  const total = shares.reduce((sum, [, share]) => sum + share, unnamed);
  const [winner] = shares.sort(([, a], [, b]) => b - a);
  return winner && winner[1] >= SHARE_MIN * total ? winner[0] : null;
};

const probabilityOf = ({ languages }: Recognition, language: string): number =>
  languages.find((guess) => guess.language === language)?.probability ?? 0;

/** The language of one window; null when unclear. */
export const windowLanguage = ({ languages: [best] }: Recognition): string | null =>
  best && best.probability >= SHARE_MIN ? best.language : null;
