import assert from 'node:assert/strict';
import test from 'node:test';
import { labelIn, merged, reassigned, renamed, spokenParts, spokenWords, stretchesOf } from './speaker-edits.ts';

const WORDS = Array.from({ length: 8 }, (_, index) => ({
  text: `w${index}`,
  startMs: index * 1_000,
  endMs: index * 1_000 + 900,
  confidence: 1,
}));
const person = (speaker: number) => ({ speaker, name: null, isNameSure: false });
const PARTS = spokenParts([person(0), person(1), person(2)], [0, 0, 1, 1, 0, 2, 2, null]);

test('a name is written on one line, and an empty one removes the name', () => {
  const named = renamed(PARTS, 1, '  Ada\n Lovelace ');
  assert.equal(labelIn(named)(1), 'Ada Lovelace');
  assert.equal(labelIn(renamed(named, 1, ' '))(1), labelIn(PARTS)(1));
  assert.equal(renamed(PARTS, 1, 'x'.repeat(500)).people[1]?.name?.length, 100);
});

test('merged speakers become one, and all stay in the order in which they are heard', () => {
  const { people, ofWords } = merged(PARTS, 0, 1);
  assert.deepEqual(ofWords, [1, 1, 1, 1, 1, 2, 2, null]);
  assert.deepEqual(
    people.map(({ speaker }) => speaker),
    [1, 2],
  );
});

test('a part is assigned to another or a new speaker, without the words of others in it', () => {
  const part = { speaker: 0, startMs: 0, endMs: 4_900 };
  assert.deepEqual(reassigned(PARTS, WORDS, part, 2).ofWords, [2, 2, 1, 1, 2, 2, 2, null]);
  const split = reassigned(PARTS, WORDS, { speaker: 0, startMs: 4_000, endMs: 4_900 }, 'new');
  assert.deepEqual(split.ofWords, [0, 0, 1, 1, 3, 2, 2, null]);
  assert.deepEqual(
    split.people.map(({ speaker }) => speaker),
    [0, 1, 3, 2],
  );
  const found = reassigned(PARTS, WORDS, { speaker: null, startMs: 7_000, endMs: 8_000 }, 0);
  assert.equal(found.ofWords[7], 0);
});

test('stretches end at pauses and where others speak', () => {
  const words = spokenWords(WORDS, PARTS);
  assert.deepEqual(stretchesOf(words, 0), [
    { startMs: 0, endMs: 1_900 },
    { startMs: 4_000, endMs: 4_900 },
  ]);
  const late = words.with(1, { ...words[1]!, startMs: 1_700 });
  assert.equal(stretchesOf(late, 0).length, 3);
  assert.deepEqual(stretchesOf(words, 9), []);
});
