// In which language is a text written, by its letters and words? A cross-check for the acoustic guess.

/** Shorter texts say little. */
const LETTERS_MIN = 8;
/** What the detector's scores, in 0..1, grow to in logarithms of odds. */
const SCORE_WEIGHT = 20;
/** Languages that are written nearly alike: they have one name, that of the one most people speak. */
const WRITTEN_LIKE: Readonly<Record<string, string>> = { ms: 'id', nn: 'no', nb: 'no', bs: 'hr' };

const writtenLike = (language: string): string => WRITTEN_LIKE[language] ?? language;

const loadDetector = async () => {
  const { eld } = await import('eld/extrasmall');
  return { eld, told: new Set(Object.values(eld.info().Languages).map(writtenLike)) };
};
let detector: ReturnType<typeof loadDetector> | undefined;

export interface TextLanguages {
  /** ISO 639-1. */
  readonly best: string;
  /** Null for a language whose texts the detector does not know. */
  readonly chanceOf: (language: string) => number | null;
}

/**
 * How likely a text is to be in each language; null where it is too short to tell.
 * The detector takes some 30 MB, so it is loaded by the process that first asks, and by no other.
 */
export const textLanguages = async (text: string): Promise<TextLanguages | null> => {
  if (text.replace(/[^\p{L}]/gu, '').length < LETTERS_MIN) return null;
  detector ??= loadDetector();
  const { eld, told } = await detector;
  const odds = Object.entries(eld.detect(text).getScores()).map(
    ([language, score]) => [writtenLike(language), Math.exp(SCORE_WEIGHT * score)] as const,
  );
  const [first] = odds;
  if (!first) return null;
  const total = odds.reduce((sum, [, odd]) => sum + odd, 0);
  const chances = new Map(odds.map(([language, odd]) => [language, odd / total]));
  const best = odds.reduce((most, each) => (each[1] > most[1] ? each : most), first)[0];
  const chanceOf = (language: string): number | null => {
    const name = writtenLike(language);
    return told.has(name) ? (chances.get(name) ?? 0) : null;
  };
  return { best, chanceOf };
};
