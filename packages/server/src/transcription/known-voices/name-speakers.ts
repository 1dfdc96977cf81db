// Names diarized speakers after enrolled voices: the similarity of a speaker's centroid to each voice print decides.
import type { Similarities } from '../../speech/speakers/embeddings/embedding.ts';
import type { DiarizedSpeaker } from '../speakers/types.ts';
import { dot } from '../speakers/vectors.ts';

export interface VoicePrint {
  readonly id: string;
  readonly name: string;
  /** Unit length. */
  readonly embedding: Float32Array;
  /** Whether the enrolment had telephone bandwidth. */
  readonly isNarrowBand: boolean;
}

/** The voice that names a speaker. Speakers without one are unknown. */
export interface KnownVoice {
  readonly id: string;
  readonly name: string;
  readonly isSure: boolean;
}

export interface KnownVoiceOptions {
  /** Thresholds of the embedding model; higher for the telephone, where strangers sound more alike. */
  readonly similarities: Similarities;
  /** Whether the recording has telephone bandwidth. */
  readonly isNarrowBand: boolean;
}

/** A match is not sure when it exceeds the model's threshold, or the second-best voice, by less than this. */
export const SURE_MARGIN = 0.06;
/** With less speech than this, no match is sure. */
const SURE_SECONDS_MIN = 3;

interface Pair {
  readonly speaker: DiarizedSpeaker;
  readonly print: VoicePrint;
  readonly above: number;
}

/** The known voices by speaker number. A voice names at most one speaker. */
export const nameSpeakers = (
  speakers: readonly DiarizedSpeaker[],
  prints: readonly VoicePrint[],
  { similarities, isNarrowBand }: KnownVoiceOptions,
): ReadonlyMap<number, KnownVoice> => {
  const aboveOf = (speaker: DiarizedSpeaker, print: VoicePrint): number => {
    const { knownNarrow, knownWide } = similarities;
    return dot(speaker.embedding, print.embedding) - (isNarrowBand || print.isNarrowBand ? knownNarrow : knownWide);
  };
  const pairs = speakers
    .flatMap((speaker) => prints.map((print): Pair => ({ speaker, print, above: aboveOf(speaker, print) })))
    .filter(({ above }) => above >= 0)
    .sort((a, b) => b.above - a.above);
  const named = new Map<number, KnownVoice>();
  const taken = new Set<string>();
  for (const { speaker, print, above } of pairs) {
    if (named.has(speaker.speaker) || taken.has(print.id)) continue;
    taken.add(print.id);
    // Two prints of one person do not compete.
    const rival = pairs.find((other) => other.speaker === speaker && other.print.name !== print.name);
    const isSure =
      above >= SURE_MARGIN &&
      speaker.seconds >= SURE_SECONDS_MIN &&
      (rival === undefined || above - rival.above >= SURE_MARGIN);
    named.set(speaker.speaker, { id: print.id, name: print.name, isSure });
  }
  return named;
};
