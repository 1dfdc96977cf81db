// What holds for any text that is refined: a true edit list, spans in order, and no word from nowhere.
import assert from 'node:assert/strict';
import { refineSync } from '../../src/refine/chain.ts';
import { applyEdits } from '../../src/refine/edits.ts';
import type { Edit, SpokenPiece } from '../../src/refine/refiner.ts';

/** The raw text, out of the refined one and the edits alone. */
const undoEdits = (text: string, edits: readonly Edit[]): string => {
  let raw = '';
  let end = 0;
  let shift = 0;
  for (const { rawStart, rawEnd, before, after } of edits) {
    const start = rawStart + shift;
    assert.equal(text.slice(start, start + after.length), after, 'the edit is where it says');
    raw += text.slice(end, start) + before;
    end = start + after.length;
    shift += after.length - (rawEnd - rawStart);
  }
  return raw + text.slice(end);
};

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    // Some letters have no capital of their own: folded both ways, all spellings of a word are one.
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');

/** Passes that write what was said in other letters: numbers, amounts, dates, addresses, spoken marks. */
const RESPELLING_PASSES = /numbers|addresses|commands|spelled|vocabulary|lists/u;

/** Titles that are written short before a name. */
const TITLES: Readonly<Record<string, string>> = { dr: 'doctor', mr: 'mister', mrs: 'missus', st: 'saint' };

/** Each word that an edit puts in was said in its place, or a pass that spells things anew put it there. */
const assertNoNewWords = (edits: readonly Edit[]): void => {
  for (const [nth, { pass, before, after }] of edits.entries()) {
    if (RESPELLING_PASSES.test(pass)) continue;
    // "two dogs, no, three": the dogs stand behind the new number, and were said with the one that was taken back.
    const near = edits.slice(Math.max(0, nth - 3), nth + 1);
    const isCarried = near.some((edit) => /corrections/u.test(edit.pass));
    const said = lettersOf(isCarried ? near.map((edit) => edit.before).join(' ') : before);
    // Composed first: a letter may be followed by its accent as a character of its own.
    for (const word of after.normalize('NFKC').match(/\p{L}{2,}/gu) ?? [])
      assert.ok(
        said.includes(lettersOf(word)) || said.includes(TITLES[lettersOf(word)] ?? word),
        `${pass} wrote a word that was not said`,
      );
  }
};

export const checkRefinement = (
  texts: readonly string[],
  language: string | null,
  vocabulary: readonly string[],
  stepMs: number,
): void => {
  const pieces: SpokenPiece[] = texts.map((text, n) => ({
    text,
    startMs: n * stepMs,
    endMs: n * stepMs + 900,
    language,
    confidence: 1,
  }));
  const { rawText, text, edits } = refineSync({ pieces, language, vocabulary });
  assert.equal(applyEdits(rawText, edits), text);
  assert.equal(undoEdits(text, edits), rawText, 'the raw text can be had back');
  let end = 0;
  for (const edit of edits) {
    assert.ok(edit.rawStart >= end && edit.rawEnd >= edit.rawStart, 'edits in order, none overlapping');
    assert.equal(edit.before, rawText.slice(edit.rawStart, edit.rawEnd));
    end = edit.rawEnd;
  }
  assertNoNewWords(edits);
};
