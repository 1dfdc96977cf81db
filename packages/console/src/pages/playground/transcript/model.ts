// A transcript as a person works on it: what was heard, the changes that lead to the text, and which of them hold.
import {
  correctedEdits,
  editedText,
  type TextEdit,
  type TimedText,
  type WrittenWord,
  writtenWords,
} from '@faircopy/transcript';
import type { Job } from '../jobs.ts';

export interface Change extends TextEdit {
  readonly id: number;
  /** The pass of refinement, or `you`. */
  readonly kind: string;
  readonly reason: string;
  readonly before: string;
  readonly isReverted: boolean;
}

/** What the recording's text is made of; never changes. */
export interface Heard {
  readonly rawText: string;
  readonly words: readonly TimedText[];
  readonly segments: readonly TimedText[];
  readonly language: string | null;
}

export interface Work {
  readonly heard: Heard;
  /** In order, none overlapping. */
  readonly changes: readonly Change[];
}

export const YOUR_KIND = 'you';

const timed = (word: { text: string; start_seconds: number; end_seconds: number; confidence: number }): TimedText => ({
  text: word.text,
  startMs: word.start_seconds * 1000,
  endMs: word.end_seconds * 1000,
  confidence: word.confidence,
});

export const workOn = ({ state }: Job): Work | null => {
  if (state.name === 'answered') {
    const { result, detail = {} } = state.answer;
    const heard = {
      rawText: detail.raw ?? result.transcript,
      words: (detail.words ?? []).map(timed),
      segments: (detail.segments ?? []).map(timed),
      language: result.detected_language,
    };
    const changes = (detail.edits ?? []).map((edit, id) => ({
      ...{ id, kind: edit.pass, reason: edit.reason, before: edit.before, after: edit.after },
      ...{ rawStart: edit.raw_start, rawEnd: edit.raw_end, isReverted: false },
    }));
    return { heard, changes };
  }
  if (state.name !== 'spoken') return null;
  const rawText = state.finals.map(({ text }) => text).join(' ');
  const words = state.finals.flatMap((final) =>
    final.words.map((word) => ({
      text: word.text,
      startMs: word.startSeconds * 1000,
      endMs: word.endSeconds * 1000,
      confidence: word.confidence,
    })),
  );
  return { heard: { rawText, words, segments: [], language: null }, changes: [] };
};

export const heldChanges = ({ changes }: Work): Change[] => changes.filter(({ isReverted }) => !isReverted);

export const textOf = (work: Work): string => editedText(work.heard.rawText, heldChanges(work));

/** The words of the text with their times. */
export const wordsOf = (work: Work): WrittenWord[] => writtenWords({ ...work.heard, edits: heldChanges(work) });

export const setReverted = (work: Work, of: (change: Change) => boolean, isReverted: boolean): Work => ({
  ...work,
  changes: work.changes.map((change) => (of(change) ? { ...change, isReverted } : change)),
});

/** What a person typed in place of the text becomes changes of their own; those it touches go. */
export const corrected = (work: Work, text: string): Work => {
  const { rawText } = work.heard;
  let nextId = Math.max(-1, ...work.changes.map(({ id }) => id)) + 1;
  const made = correctedEdits(
    rawText,
    heldChanges(work),
    text,
    (edit): Change => ({
      ...edit,
      id: nextId++,
      kind: YOUR_KIND,
      reason: 'typed by you',
      before: rawText.slice(edit.rawStart, edit.rawEnd),
      isReverted: false,
    }),
  );
  const overlaps = (change: Change) =>
    made.some((edit) => change.rawStart < edit.rawEnd && change.rawEnd > edit.rawStart);
  const aside = work.changes.filter((change) => change.isReverted && !overlaps(change));
  return { ...work, changes: [...made, ...aside].sort((a, b) => a.rawStart - b.rawStart) };
};
