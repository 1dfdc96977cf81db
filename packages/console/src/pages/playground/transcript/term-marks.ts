// Marks vocabulary terms in the words of a transcript, and undoes false alarms.
import { editedPieces, type WrittenWord } from '@faircopy/transcript';
import type { AppliedTerm } from './applied-terms.ts';
import { appliedChanges, type EditableTranscript, setReverted, withChange } from './editable-transcript.ts';

/** Whether the user has undone the term, so that the text shows what it had replaced. */
export const isTakenBack = ({ changes }: EditableTranscript, term: AppliedTerm): boolean =>
  term.changeId === null
    ? changes.some(
        ({ rawStart, after, isReverted }) => rawStart === term.rawStart && after === term.instead && !isReverted,
      )
    : !changes.some(({ id, isReverted }) => id === term.changeId && !isReverted);

export const takenBack = (transcript: EditableTranscript, term: AppliedTerm): EditableTranscript =>
  term.changeId === null
    ? withChange(transcript, {
        rawStart: term.rawStart,
        rawEnd: term.rawEnd,
        after: term.instead,
        kind: 'you',
        reason: 'a false alarm of the vocabulary',
      })
    : setReverted(transcript, ({ id }) => id === term.changeId, true);

/** The terms of the words that belong to one, by the index of the word. */
export const termsByWord = (
  transcript: EditableTranscript,
  words: readonly WrittenWord[],
): ReadonlyMap<number, AppliedTerm> => {
  const found = new Map<number, AppliedTerm>();
  const shown = transcript.terms.filter((term) => !isTakenBack(transcript, term));
  if (shown.length === 0) return found;
  const pieces = editedPieces(transcript.source.rawText, appliedChanges(transcript));
  let pieceStart = 0;
  const ranges = pieces.flatMap(({ text, rawStart, rawEnd, edit }) => {
    const start = pieceStart;
    pieceStart += text.length;
    return shown
      .filter((term) => term.rawStart < rawEnd && term.rawEnd > rawStart)
      .map((term) => ({
        term,
        from: edit ? start : start + Math.max(0, term.rawStart - rawStart),
        to: edit ? pieceStart : start + Math.min(text.length, term.rawEnd - rawStart),
      }));
  });
  let at = 0;
  words.forEach(({ gap, text }, index) => {
    const start = at + gap.length;
    at = start + text.length;
    const range = ranges.find(({ from, to }) => from < at && to > start);
    if (range) found.set(index, range.term);
  });
  return found;
};
