// A vocabulary term: its spelling, its pronunciations and its weight.

export interface Term {
  /** The spelling to use in transcripts. */
  readonly text: string;
  /** Other pronunciations, spelt as they sound. */
  readonly soundsLike?: readonly string[];
  /** Default 1. A larger weight accepts less likely matches; 0 accepts none and only corrects the spelling. */
  readonly weight?: number;
}

export const TERM_LIMITS = {
  /** Per request, including the terms of the account. */
  countMax: 1_000,
  charactersMax: 100,
  /** All terms together, in UTF-8. They are sent with every window of audio. */
  bytesMax: 32 * 1024,
  soundsMax: 4,
  weightMax: 10,
} as const;

/** After 2 false alarms a term needs more evidence; after 5, only its spelling is corrected. */
const DOUBTED_FROM = 2;
const SPELLING_ONLY_FROM = 5;
const DOUBTED_WEIGHT = 0.5;

/** The weight of a term that people have rejected this often. */
export const weightAfter = (falseAlarms: number): number => {
  if (falseAlarms >= SPELLING_ONLY_FROM) return 0;
  return falseAlarms >= DOUBTED_FROM ? DOUBTED_WEIGHT : 1;
};

const SOUNDS = /^(.*\S)\s*\(sounds like[:\s]([^()]*)\)$/iu;

/** Reads `Nguyen` or `Nguyen (sounds like win, nwin)`; null when it is empty or too long. */
export const readTerm = (written: string): Term | null => {
  const line = written.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (line === '' || line.length > TERM_LIMITS.charactersMax) return null;
  const [, text = line, sounds = ''] = SOUNDS.exec(line) ?? [];
  const soundsLike = sounds
    .split(',')
    .map((sound) => sound.trim())
    .filter((sound) => sound !== '')
    .slice(0, TERM_LIMITS.soundsMax);
  return soundsLike.length > 0 ? { text, soundsLike } : { text };
};
