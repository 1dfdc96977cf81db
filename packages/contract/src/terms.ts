// A term of a vocabulary: how it is written, how it sounds, and how much it weighs.

export interface Term {
  /** As it is to be written. */
  readonly text: string;
  /** Other pronunciations, spelt as they sound. */
  readonly soundsLike?: readonly string[];
  /** 1 is usual; a larger weight accepts less likely places, 0 accepts none. */
  readonly weight?: number;
}

export const TERM_LIMITS = {
  /** Of one request, those of its account included. */
  countMax: 1_000,
  charactersMax: 100,
  /** Of all terms together, in UTF-8: they travel with every window of audio. */
  bytesMax: 32 * 1024,
  soundsMax: 4,
  weightMax: 10,
} as const;

/** From this many false alarms on, a term needs more evidence; from that many on, only its spelling is corrected. */
const DOUBTED_FROM = 2;
const SPELLING_ONLY_FROM = 5;
const DOUBTED_WEIGHT = 0.5;

/** The weight of a term that people took back this often. */
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
