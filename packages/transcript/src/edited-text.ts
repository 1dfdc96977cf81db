// Applies edits to the raw text.
import type { TextEdit } from './types.ts';

/** A piece of the text: kept from the raw text, or written by an edit. */
export interface EditedPiece<Edit extends TextEdit> {
  readonly text: string;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** Null where the raw text is kept. */
  readonly edit: Edit | null;
}

/** The edited text in pieces. A deletion is a piece without text. */
export const editedPieces = <Edit extends TextEdit>(rawText: string, edits: readonly Edit[]): EditedPiece<Edit>[] => {
  const pieces: EditedPiece<Edit>[] = [];
  let end = 0;
  const keep = (to: number) => {
    if (end < to) pieces.push({ text: rawText.slice(end, to), rawStart: end, rawEnd: to, edit: null });
  };
  for (const edit of edits) {
    keep(edit.rawStart);
    pieces.push({ text: edit.after, rawStart: edit.rawStart, rawEnd: edit.rawEnd, edit });
    end = edit.rawEnd;
  }
  keep(rawText.length);
  return pieces;
};

export const editedText = (rawText: string, edits: readonly TextEdit[]): string =>
  editedPieces(rawText, edits)
    .map(({ text }) => text)
    .join('');
