// Adds speakers to the words and segments of a transcript.
import type { FoundVoices, SpeakerNames } from '../speaker-names.ts';
import type { SpeakerTurn, SpokenSpan } from '../types.ts';
import { speakersOfWords, type TimedWord } from '../words.ts';

export interface TranscriptSpeaker {
  /** 0, 1, … in the order in which they are first heard. */
  readonly speaker: number;
  /** Null when unknown. */
  readonly name: string | null;
  /** False when the name is only likely. */
  readonly isNameSure: boolean;
  /** Seconds of speech. */
  readonly seconds: number;
}

export interface WordSpeaker {
  readonly speaker: number;
  /** From 0.5 to 1. */
  readonly confidence: number;
}

export interface TranscriptSpeakers {
  readonly speakers: readonly TranscriptSpeaker[];
  /** Sorted by start. Turns of different speakers may overlap. */
  readonly turns: readonly SpeakerTurn[];
}

/** The speakers found in a recording or an utterance. */
export interface FoundSpeech extends FoundVoices {
  readonly turns: readonly SpeakerTurn[];
  readonly spans: readonly SpokenSpan[];
}

interface TimedText {
  readonly startMs: number;
  readonly endMs: number;
}

const timed = ({ startMs, endMs }: TimedText): TimedWord => ({
  startSeconds: startMs / 1000,
  endSeconds: endMs / 1000,
});

type Spoken<Text> = Text & { readonly speaker: WordSpeaker | null };

/** Adds speakers to words and segments, and changes nothing else. */
export const withSpeakers = <
  Word extends TimedText,
  Segment extends TimedText,
  Transcript extends { readonly words: readonly Word[]; readonly segments: readonly Segment[] },
>(
  transcript: Transcript & { readonly words: readonly Word[]; readonly segments: readonly Segment[] },
  found: FoundSpeech,
  names: SpeakerNames | undefined,
): Transcript & {
  readonly words: readonly Spoken<Word>[];
  readonly segments: readonly Spoken<Segment>[];
  readonly speakers: TranscriptSpeakers;
} => {
  const named = names?.name(found) ?? [];
  return {
    ...transcript,
    words: spokenBy(transcript.words, found),
    segments: spokenBy(transcript.segments, found),
    speakers: {
      speakers: found.speakers.map(({ speaker, seconds }, index) => ({
        speaker,
        name: named[index]?.name ?? null,
        isNameSure: named[index]?.isSure ?? false,
        seconds,
      })),
      turns: found.turns,
    },
  };
};

const spokenBy = <Text extends TimedText>(texts: readonly Text[], { turns, spans }: FoundSpeech): Spoken<Text>[] => {
  const places = texts.map(timed);
  const labels = speakersOfWords(places, turns);
  const confidenceOf = confidences(spans);
  return texts.map((text, index) => {
    const speaker = labels[index] ?? null;
    const confidence = speaker === null ? 0 : confidenceOf(places[index]!, speaker);
    return { ...text, speaker: speaker === null ? null : { speaker, confidence } };
  });
};

/** The confidence of the span at the middle of a word, or of the nearest one before it. Words must be in order. */
const confidences = (spans: readonly SpokenSpan[]): ((word: TimedWord, speaker: number) => number) => {
  let next = 0;
  return ({ startSeconds, endSeconds }, speaker) => {
    const middle = (startSeconds + endSeconds) / 2;
    while (next + 1 < spans.length && spans[next + 1]!.startSeconds <= middle) next += 1;
    const span = spans[next];
    if (!span) return 1;
    // When two people talk at once, the word may belong to the other one.
    return span.speaker === speaker ? span.confidence : 0.5;
  };
};
