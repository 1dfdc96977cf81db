// A transcript that the user edits: the recognised text, its changes (applied or reverted), terms and speakers.
import type { Detail } from '@faircopy/contract';
import {
  correctedEdits,
  editedText,
  type SpokenParts,
  spokenParts,
  spokenWords,
  type TextEdit,
  type TimedText,
  type WrittenWord,
  writtenWords,
} from '@faircopy/transcript';
import { type FinalEvent, peopleOf } from '../captions.tsx';
import type { Recording } from '../recordings.ts';
import { type AppliedTerm, appliedTerms } from './applied-terms.ts';

export interface Change extends TextEdit {
  readonly id: number;
  /** The refinement pass, or `you`. */
  readonly kind: string;
  readonly reason: string;
  readonly before: string;
  readonly isReverted: boolean;
}

export interface EditableTranscript {
  /** The recognised text, which never changes. */
  readonly source: {
    readonly rawText: string;
    readonly words: readonly TimedText[];
    readonly segments: readonly TimedText[];
    readonly language: string | null;
  };
  /** In text order, without overlap. */
  readonly changes: readonly Change[];
  /** Vocabulary terms, including undone ones. */
  readonly terms: readonly AppliedTerm[];
  /** The speakers of the recognised words; null if speakers were not requested. */
  readonly speakers: SpokenParts | null;
}

const timed = (word: { text: string; start_seconds: number; end_seconds: number; confidence: number }): TimedText => ({
  text: word.text,
  startMs: word.start_seconds * 1000,
  endMs: word.end_seconds * 1000,
  confidence: word.confidence,
});

const speakersOf = ({ speakers, words }: Detail): SpokenParts | null =>
  speakers && speakers.length > 0 && words
    ? spokenParts(
        speakers.map(({ speaker, name, is_name_sure: isNameSure }) => ({ speaker, name, isNameSure })),
        words.map(({ speaker }) => speaker ?? null),
      )
    : null;

const liveSpeakers = (finals: readonly FinalEvent[]): SpokenParts | null => {
  const ofWords = finals.flatMap(({ words }) => words.map(({ speaker }) => speaker ?? null));
  const heard = [...new Set(ofWords)].filter((speaker) => speaker !== null).sort((a, b) => a - b);
  if (heard.length === 0) return null;
  const known = new Map(peopleOf(finals).map((person) => [person.speaker, person]));
  return spokenParts(
    heard.map((speaker) => known.get(speaker) ?? { speaker, name: null, isNameSure: false }),
    ofWords,
  );
};

/** Null for a recording without a transcript. */
export const editableTranscript = ({ state }: Pick<Recording, 'state'>): EditableTranscript | null => {
  if (state.name === 'answered') {
    const { result, detail = {} } = state.answer;
    const source = {
      rawText: detail.raw ?? result.transcript,
      words: (detail.words ?? []).map(timed),
      segments: (detail.segments ?? []).map(timed),
      language: result.detected_language,
    };
    const changes = (detail.edits ?? []).map((edit, id) => ({
      id,
      kind: edit.pass,
      reason: edit.reason,
      before: edit.before,
      after: edit.after,
      rawStart: edit.raw_start,
      rawEnd: edit.raw_end,
      isReverted: false,
    }));
    return { source, changes, terms: appliedTerms(detail, changes), speakers: speakersOf(detail) };
  }
  if (state.name !== 'live') return null;
  const rawText = state.finals.map(({ text }) => text).join(' ');
  const words = state.finals.flatMap((final) =>
    final.words.map((word) => ({
      text: word.text,
      startMs: word.startSeconds * 1000,
      endMs: word.endSeconds * 1000,
      confidence: word.confidence,
    })),
  );
  const speakers = liveSpeakers(state.finals);
  return { source: { rawText, words, segments: [], language: null }, changes: [], terms: [], speakers };
};

export const appliedChanges = ({ changes }: EditableTranscript): Change[] =>
  changes.filter(({ isReverted }) => !isReverted);

export const textOf = (transcript: EditableTranscript): string =>
  editedText(transcript.source.rawText, appliedChanges(transcript));

export const wordsOf = (transcript: EditableTranscript): WrittenWord[] =>
  writtenWords({
    ...transcript.source,
    words: transcript.speakers ? spokenWords(transcript.source.words, transcript.speakers) : transcript.source.words,
    edits: appliedChanges(transcript),
  });

export const setReverted = (
  transcript: EditableTranscript,
  matches: (change: Change) => boolean,
  isReverted: boolean,
): EditableTranscript => ({
  ...transcript,
  changes: transcript.changes.map((change) => (matches(change) ? { ...change, isReverted } : change)),
});

/** Adds a change made by the user, which replaces the changes it overlaps. */
export const withChange = (
  transcript: EditableTranscript,
  change: Pick<Change, 'rawStart' | 'rawEnd' | 'after' | 'kind' | 'reason'>,
): EditableTranscript => {
  const { rawStart, rawEnd } = change;
  const others = transcript.changes.filter((other) => other.rawEnd <= rawStart || other.rawStart >= rawEnd);
  const id = Math.max(-1, ...transcript.changes.map((other) => other.id)) + 1;
  const before = transcript.source.rawText.slice(rawStart, rawEnd);
  const changes = [...others, { ...change, id, before, isReverted: false }];
  return { ...transcript, changes: changes.sort((a, b) => a.rawStart - b.rawStart) };
};

/** Turns what the user typed into changes, which replace the changes they overlap. */
export const withCorrections = (transcript: EditableTranscript, text: string): EditableTranscript => {
  const { rawText } = transcript.source;
  let nextId = Math.max(-1, ...transcript.changes.map(({ id }) => id)) + 1;
  const edits = correctedEdits(
    rawText,
    appliedChanges(transcript),
    text,
    (edit): Change => ({
      ...edit,
      id: nextId++,
      kind: 'you',
      reason: 'typed by you',
      before: rawText.slice(edit.rawStart, edit.rawEnd),
      isReverted: false,
    }),
  );
  const overlaps = (change: Change) =>
    edits.some((edit) => change.rawStart < edit.rawEnd && change.rawEnd > edit.rawStart);
  const reverted = transcript.changes.filter((change) => change.isReverted && !overlaps(change));
  return { ...transcript, changes: [...edits, ...reverted].sort((a, b) => a.rawStart - b.rawStart) };
};
