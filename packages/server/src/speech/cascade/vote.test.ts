import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anchorsOf, bareWord } from './common-words.ts';
import { fitWords } from './fit-words.ts';
import { type Reading, vote } from './vote.ts';

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');
const timed = (text: string, startMs = 0) =>
  wordsOf(text).map((word, i) => ({
    text: word,
    startMs: startMs + i * 100,
    endMs: startMs + i * 100 + 100,
    confidence: 0.9,
  }));

/** A model that finds words which it did not recognise itself this much less probable; others are hopeless to it. */
const reading = (text: string, dismay: Record<string, number> = {}, weight = 1): Reading & { asked: string[] } => {
  const asked: string[] = [];
  return {
    words: timed(text),
    weight,
    asked,
    weigh: async () => ({
      withReplaced: async (_from, _to, words) => {
        asked.push(words.join(' '));
        return dismay[words.map(bareWord).join(' ')] ?? -100;
      },
    }),
  };
};
const voted = async (...readings: Reading[]) => (await vote(readings)).map(({ text }) => text).join(' ');

test('where all agree, the spelling of the first is kept and nothing is weighed', async () => {
  const readings = [reading('We met, at noon.'), reading('we met at noon'), reading('We met at Noon')];
  assert.equal(await voted(...readings), 'We met, at noon.');
  assert.deepEqual(
    readings.flatMap(({ asked }) => asked),
    [],
  );
});

test('two agreeing readings outvote a third, unless it is sure that they are wrong', async () => {
  const two = [reading('the cold man', { old: -2 }), reading('the cold man', { old: -2 })];
  assert.equal(await voted(reading('the old man', { cold: -1 }), ...two), 'the cold man');
  assert.equal(await voted(reading('the old man', { cold: -9 }), ...two), 'the old man');
});

test('what a model nearly said counts, not how sure it was of its own', async () => {
  const sure = reading('his affiliation', { affliction: -1 });
  const other = reading('his affliction', { affiliation: -6 });
  assert.equal(await voted(sure, other), 'his affliction');
});

test('however hopeless words are to one model, two others can outvote it', async () => {
  const two = [reading('so mild', { wild: -4 }), reading('so mild', { wild: -4 })];
  assert.equal(await voted(reading('so wild', { mild: -1000 }), ...two), 'so mild');
});

test('a model that weighs less gives way', async () => {
  assert.equal(await voted(reading('a b', { c: -3 }), reading('a c', { b: -4 }, 0.5)), 'a b');
  assert.equal(await voted(reading('a b', { c: -3 }), reading('a c', { b: -4 }, 1)), 'a c');
});

test('words that only one reading has are weighed against leaving them out', async () => {
  assert.equal(await voted(reading('we had a plan', { '': -4 }), reading('we had plan', { a: -1 })), 'we had a plan');
  assert.equal(await voted(reading('we had plan', { um: -4 }), reading('we had um plan', { '': -1 })), 'we had plan');
});

test('words of two readings never stand side by side for the same sounds', async () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(letters, letters, async (one, other) => {
      // Nothing is in common, so the whole text of one reading stands.
      const texts = [one.join(' '), other.map((letter) => `x${letter}`).join(' ')];
      const made = (await voted(...texts.map((text) => reading(text)))).toLowerCase();
      assert.ok(texts.includes(made), made);
    }),
  );
});

test('each model is asked in its own words around, with their capitals and punctuation', async () => {
  const first = reading('Then he said: masked men.', { massed: -3 });
  const second = reading('then he said massed men', { masked: -1 });
  assert.equal(await voted(first, second), 'Then he said: masked men.');
  assert.deepEqual([first.asked, second.asked], [['massed'], ['masked']]);
});

test('words fit into their new place', () => {
  const fit = (theirs: string, place: [number, number], ours: string, into: [number, number]) =>
    fitWords(wordsOf(theirs), place, wordsOf(ours), into).join(' ');
  assert.equal(fit('Hi, my name', [0, 1], 'so am I my name', [1, 3]), 'hi');
  assert.equal(fit('it was. hi my name', [2, 3], 'It was. Am my name', [2, 3]), 'Hi');
  assert.equal(fit('I am', [0, 1], 'so eye am', [1, 2]), 'I');
  assert.equal(fit('in Egypt', [1, 2], 'in a jet.', [1, 3]), 'Egypt.');
  assert.equal(fit('a b c', [3, 3], 'a b c d.', [3, 4]), '');
  assert.equal(fit('we went home', [2, 3], 'we went.', [2, 2]), 'Home.');
});

test('times run forwards, though the models tell them differently', async () => {
  const late = { ...reading('one two three', { too: -9 }), words: timed('one two three', 130) };
  const times = (await vote([reading('one too three', { two: -1 }), late])).flatMap((word) => [
    word.startMs,
    word.endMs,
  ]);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('one reading is itself, and nothing stays nothing', async () => {
  assert.equal(await voted(reading('hello there')), 'hello there');
  assert.deepEqual(await vote([reading(''), reading('')]), []);
});

test('anchors are the longest run of common words, in rising order in every reading', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, letters, (a, b, c) => {
      const anchors = anchorsOf([a, b, c]);
      for (const [nth, anchor] of anchors.entries()) {
        assert.equal(new Set([a[anchor[0]!], b[anchor[1]!], c[anchor[2]!]]).size, 1);
        if (nth > 0) assert.ok(anchor.every((at, which) => at > anchors[nth - 1]![which]!));
      }
      assert.ok(anchors.length <= anchorsOf([a, b]).length);
      assert.equal(anchorsOf([a, a, a]).length, a.length);
    }),
  );
  // Too long for all three at once: two at a time give the same here.
  const long = Array.from({ length: 200 }, (_, nth) => `w${nth}`);
  assert.equal(anchorsOf([long, long.toSpliced(5, 1), long]).length, 199);
});
