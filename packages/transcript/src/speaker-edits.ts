// Corrects who says which words: renames, merges and splits speakers.
import { type LabelledSpeaker, speakerLabel } from './speakers/speaker-label.ts';
import type { TimedText } from './types.ts';

export interface SpokenParts {
  /** The speakers of at least one word, in the order in which they are first heard. */
  readonly people: readonly LabelledSpeaker[];
  /** The speaker of each recognised word; null when unknown. */
  readonly ofWords: readonly (number | null)[];
}

/** Names are shown on one line of a file. */
const NAME_CHARACTERS_MAX = 100;

export const spokenParts = (people: readonly LabelledSpeaker[], ofWords: readonly (number | null)[]): SpokenParts => {
  const first = (speaker: number): number => ofWords.indexOf(speaker);
  return {
    people: people
      .filter(({ speaker }) => first(speaker) !== -1)
      .sort((one, other) => first(one.speaker) - first(other.speaker)),
    ofWords,
  };
};

/** Names a speaker; an empty name removes the name. */
export const renamed = ({ people, ofWords }: SpokenParts, speaker: number, typed: string): SpokenParts => {
  const name = typed.replaceAll(/\s+/g, ' ').trim().slice(0, NAME_CHARACTERS_MAX) || null;
  return {
    people: people.map((person) =>
      person.speaker === speaker ? { speaker, name, isNameSure: name !== null } : person,
    ),
    ofWords,
  };
};

/** Assigns all words of one speaker to another. */
export const merged = ({ people, ofWords }: SpokenParts, from: number, into: number): SpokenParts =>
  spokenParts(
    people,
    ofWords.map((speaker) => (speaker === from ? into : speaker)),
  );

/** Assigns one speaker's words within a time range to another speaker; `new` adds a speaker. */
export const reassigned = (
  { people, ofWords }: SpokenParts,
  words: readonly TimedText[],
  part: { readonly speaker: number | null; readonly startMs: number; readonly endMs: number },
  to: number | 'new',
): SpokenParts => {
  const speaker = to === 'new' ? 1 + people.reduce((last, person) => Math.max(last, person.speaker), -1) : to;
  const isWithin = ({ startMs, endMs }: TimedText): boolean => {
    const middle = (startMs + endMs) / 2;
    return middle >= part.startMs && middle <= part.endMs;
  };
  const isKnown = people.some((person) => person.speaker === speaker);
  return spokenParts(
    isKnown ? people : [...people, { speaker, name: null, isNameSure: false }],
    ofWords.map((before, index) => (before === part.speaker && isWithin(words[index]!) ? speaker : before)),
  );
};

export const labelIn =
  ({ people }: SpokenParts): ((speaker: number) => string) =>
  (speaker) =>
    speakerLabel(people.find((person) => person.speaker === speaker) ?? { speaker, name: null, isNameSure: false });

/** The words, each with its speaker. */
export const spokenWords = (words: readonly TimedText[], { ofWords }: SpokenParts): TimedText[] =>
  words.map((word, index) => {
    const speaker = ofWords[index] ?? null;
    return { ...word, speaker: speaker === null ? null : { speaker, confidence: word.speaker?.confidence ?? 1 } };
  });

/** A shorter pause does not end a stretch. */
const PAUSE_MS = 700;

/** Stretches of a speaker's words. */
export const stretchesOf = (
  words: readonly TimedText[],
  speaker: number,
): { readonly startMs: number; readonly endMs: number }[] => {
  const stretches: { startMs: number; endMs: number }[] = [];
  let isOpen = false;
  for (const word of words) {
    const isOwn = word.speaker?.speaker === speaker;
    const last = stretches.at(-1);
    if (isOwn && isOpen && last && word.startMs - last.endMs < PAUSE_MS) last.endMs = Math.max(last.endMs, word.endMs);
    else if (isOwn) stretches.push({ startMs: word.startMs, endMs: word.endMs });
    isOpen = isOwn;
  }
  return stretches;
};
