// Names diarized speakers after enrolled voices: the similarity of a speaker's centroid to each voice print decides.
import type { Similarities } from '../../speech/speakers/embeddings/embedding.ts';
import type { DiarizedSpeaker } from '../speakers/types.ts';
import { dot } from '../speakers/vectors.ts';

export interface VoicePrint {
  readonly id: string;
  readonly name: string;
  /** Of length one. */
  readonly embedding: Float32Array;
  /** Whether the enrolment had telephone bandwidth. */
  readonly isNarrowBand: boolean;
}

export type VoiceCertainty = 'sure' | 'maybe';

/** A speaker without one of these is unknown. */
export interface KnownVoice {
  readonly id: string;
  readonly name: string;
  readonly certainty: VoiceCertainty;
}

export interface KnownVoiceOptions {
  /** Of the embedding model. Strangers sound more alike on the telephone. */
  readonly similarities: Similarities;
  /** Whether the recording has telephone bandwidth. */
  readonly isNarrowBand: boolean;
  /** One person may speak on several channels, but only once within each. */
  readonly channelOf?: ((speaker: number) => number) | undefined;
}

/** Above the bound of the embedding model by less than this, or with a second voice as near as this: "maybe". */
export const MAYBE_MARGIN = 0.06;
/** With less speech, a name is a "maybe" at most. */
const SURE_SECONDS_MIN = 3;

interface Pair {
  readonly speaker: DiarizedSpeaker;
  readonly print: VoicePrint;
  readonly above: number;
}

/** The voice of each speaker that has one, by speaker number. A voice names one speaker at most. */
export const nameSpeakers = (
  speakers: readonly DiarizedSpeaker[],
  prints: readonly VoicePrint[],
  { similarities, isNarrowBand, channelOf = () => 0 }: KnownVoiceOptions,
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
    const place = `${channelOf(speaker.speaker)} ${print.id}`;
    if (named.has(speaker.speaker) || taken.has(place)) continue;
    taken.add(place);
    // Two prints of one person do not compete.
    const rival = pairs.find((other) => other.speaker === speaker && other.print.name !== print.name);
    const isSure =
      above >= MAYBE_MARGIN &&
      speaker.seconds >= SURE_SECONDS_MIN &&
      (rival === undefined || above - rival.above >= MAYBE_MARGIN);
    named.set(speaker.speaker, { id: print.id, name: print.name, certainty: isSure ? 'sure' : 'maybe' });
  }
  return named;
};
