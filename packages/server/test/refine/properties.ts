// Properties of every refinement: a correct edit list, spans in order, and no invented word.
import assert from 'node:assert/strict';
import { refineSync } from '../../src/refine/chain.ts';
import { applyEdits } from '../../src/refine/edits.ts';
import type { Edit, SpokenPiece } from '../../src/refine/refiner.ts';

/** Restores the raw text from the refined text and the edits. */
const undoEdits = (text: string, edits: readonly Edit[]): string => {
  let raw = '';
  let end = 0;
  let shift = 0;
  for (const { rawStart, rawEnd, before, after } of edits) {
    const start = rawStart + shift;
    assert.equal(text.slice(start, start + after.length), after, 'the edit is at its offset');
    raw += text.slice(end, start) + before;
    end = start + after.length;
    shift += after.length - (rawEnd - rawStart);
  }
  return raw + text.slice(end);
};

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    // Some letters have no capital form, so fold both ways to compare spellings.
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');

/** Passes that respell spoken words: numbers, amounts, dates, addresses, spoken marks. */
const RESPELLING_PASSES = /numbers|addresses|commands|spelled|vocabulary|lists/u;

/** Titles that are abbreviated before a name. */
const TITLES: Readonly<Record<string, string>> = { dr: 'doctor', mr: 'mister', mrs: 'missus', st: 'saint' };

/** Asserts that each inserted word was spoken at that place or comes from a pass that respells. */
const assertNoNewWords = (edits: readonly Edit[]): void => {
  for (const [nth, { pass, before, after }] of edits.entries()) {
    if (RESPELLING_PASSES.test(pass)) continue;
    // "two dogs, no, three" → "three dogs": "dogs" was spoken next to the replaced number.
    const near = edits.slice(Math.max(0, nth - 3), nth + 1);
    const isCarried = near.some((edit) => /corrections/u.test(edit.pass));
    const said = lettersOf(isCarried ? near.map((edit) => edit.before).join(' ') : before);
    // Compose first: the accent of a letter may be a separate character.
    for (const word of after.normalize('NFKC').match(/\p{L}{2,}/gu) ?? [])
      assert.ok(
        said.includes(lettersOf(word)) || said.includes(TITLES[lettersOf(word)] ?? word),
        `${pass} wrote a word that was not spoken`,
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
  const { rawText, text, edits } = refineSync({ pieces, language, vocabulary: vocabulary.map((text) => ({ text })) });
  assert.equal(applyEdits(rawText, edits), text);
  assert.equal(undoEdits(text, edits), rawText, 'the raw text can be restored');
  let end = 0;
  for (const edit of edits) {
    assert.ok(edit.rawStart >= end && edit.rawEnd >= edit.rawStart, 'edits are in order and do not overlap');
    assert.equal(edit.before, rawText.slice(edit.rawStart, edit.rawEnd));
    end = edit.rawEnd;
  }
  assertNoNewWords(edits);
};
