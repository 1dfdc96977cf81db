// The language of a window and of the whole recording, from the guesses of its recognised windows.
import type { Recognition } from '../../speech/recogniser.ts';

/** One recognised window and how much speech it holds. */
export interface LanguageEvidence {
  readonly recognition: Recognition;
  readonly voicedMs: number;
}

/** Share of the evidence, or probability in one window, that a language needs to be reported. */
const SHARE_MIN = 0.35;

/** The language of most of the speech, weighted by length and certainty; null when unclear. */
export const voteLanguage = (windows: readonly LanguageEvidence[]): string | null => {
  const votes = new Map<string, number>();
  let votedMs = 0;
  for (const { recognition, voicedMs } of windows) {
    if (recognition.text.trim() === '') continue;
    votedMs += voicedMs;
    for (const { language, probability } of recognition.languages) {
      votes.set(language, (votes.get(language) ?? 0) + voicedMs * probability);
    }
  }
  const [winner] = [...votes].sort(([, a], [, b]) => b - a);
  return winner && winner[1] >= SHARE_MIN * votedMs ? winner[0] : null;
};

/** The language of one window; null when unclear. */
export const windowLanguage = ({ languages: [best] }: Recognition): string | null =>
  best && best.probability >= SHARE_MIN ? best.language : null;
