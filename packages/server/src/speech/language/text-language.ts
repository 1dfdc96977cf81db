// Detects the language of a text by its letters and words, to check the acoustic detection.

/** Shorter texts are not evidence. */
const LETTERS_MIN = 8;
/** Scales the detector's scores in 0..1 to log-odds. */
const SCORE_WEIGHT = 20;
/** Languages that are written nearly alike are treated as the most widely spoken one. */
const WRITTEN_AS: Readonly<Record<string, string>> = { ms: 'id', nn: 'no', nb: 'no', bs: 'hr' };

const writtenAs = (language: string): string => WRITTEN_AS[language] ?? language;

const loadDetector = async () => {
  const { eld } = await import('eld/extrasmall');
  return { eld, supported: new Set(Object.values(eld.info().Languages).map(writtenAs)) };
};
let detector: ReturnType<typeof loadDetector> | undefined;

interface TextLanguages {
  /** ISO 639-1. */
  readonly best: string;
  /** Null for a language that the detector does not support. */
  readonly chanceOf: (language: string) => number | null;
}

/**
 * Language probabilities of a text; null when it is too short. The detector needs about 30 MB, so each process loads it
 * on demand.
 */
export const textLanguages = async (text: string): Promise<TextLanguages | null> => {
  if (text.replace(/[^\p{L}]/gu, '').length < LETTERS_MIN) return null;
  detector ??= loadDetector();
  const { eld, supported } = await detector;
  const odds = Object.entries(eld.detect(text).getScores()).map(
    ([language, score]) => [writtenAs(language), Math.exp(SCORE_WEIGHT * score)] as const,
  );
  const [first] = odds;
  if (!first) return null;
  const total = odds.reduce((sum, [, odd]) => sum + odd, 0);
  const chances = new Map(odds.map(([language, odd]) => [language, odd / total]));
  const best = odds.reduce((most, each) => (each[1] > most[1] ? each : most), first)[0];
  const chanceOf = (language: string): number | null => {
    const name = writtenAs(language);
    return supported.has(name) ? (chances.get(name) ?? 0) : null;
  };
  return { best, chanceOf };
};
