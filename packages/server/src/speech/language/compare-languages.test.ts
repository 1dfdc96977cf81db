import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareByReading } from './compare-languages.ts';

const GERMAN = 'Das ist ein Satz, den jeder in Deutschland sofort versteht.';
const DUTCH = 'Dit is een zin die iedereen in Nederland meteen begrijpt.';

/** Reads what it is told to, and remembers who was asked for what. */
const reading = (texts: Record<string, { text: string; average: number; readShare?: number; isLoop?: boolean }>) => {
  const asked = new Map<string, number>();
  const readFirstWords = async (language: string, averageMin: number) => {
    asked.set(language, averageMin);
    const { text, average, readShare = 1, isLoop = false } = texts[language]!;
    return { text, averageLogProbability: average, readShare, isLoop };
  };
  return { asked, readFirstWords };
};

test('what reads best decides, not what sounds likeliest', async () => {
  const { readFirstWords } = reading({ de: { text: DUTCH, average: -1 }, nl: { text: DUTCH, average: -0.2 } });
  const { language, text, languages } = await compareByReading(
    new Map([
      ['de', 0.6],
      ['nl', 0.4],
    ]),
    readFirstWords,
  );
  assert.equal(language, 'nl');
  assert.equal(text, DUTCH);
  assert.ok(languages.get('nl')! > 0.8);
  assert.ok(Math.abs([...languages.values()].reduce((sum, value) => sum + value, 0) - 1) < 1e-9);
});

test('a loop is no reading', async () => {
  const loop = { text: 'ja ja ja', average: -0.01, isLoop: true };
  const { readFirstWords } = reading({ de: loop, nl: { text: DUTCH, average: -0.9 } });
  assert.equal(
    (
      await compareByReading(
        new Map([
          ['de', 0.7],
          ['nl', 0.3],
        ]),
        readFirstWords,
      )
    ).language,
    'nl',
  );
});

test('a language that cannot win is not read, and still has its share', async () => {
  const { asked, readFirstWords } = reading({ de: { text: GERMAN, average: -0.1 }, nl: { text: DUTCH, average: 0 } });
  const { language, languages } = await compareByReading(
    new Map([
      ['de', 0.75],
      ['nl', 0.2],
    ]),
    readFirstWords,
  );
  assert.equal(language, 'de');
  assert.deepEqual([...asked.keys()], ['de']);
  assert.ok(languages.get('nl')! > 0 && languages.get('nl')! < 0.2);
});

test('the least that is asked of a reading is what it would need to win, however it looks', async () => {
  const heard = new Map([
    ['de', 0.5],
    ['nl', 0.4],
  ]);
  const { asked, readFirstWords } = reading({ de: { text: GERMAN, average: -0.4 }, nl: { text: DUTCH, average: -1 } });
  await compareByReading(heard, readFirstWords);
  assert.equal(asked.get('de'), Number.NEGATIVE_INFINITY);
  const least = asked.get('nl')!;
  assert.ok(least < 0);
  const winnerAt = async (average: number) => {
    const again = reading({ de: { text: GERMAN, average: -0.4 }, nl: { text: DUTCH, average } });
    return (await compareByReading(heard, again.readFirstWords)).language;
  };
  assert.equal(await winnerAt(least + 0.01), 'nl');
  assert.equal(await winnerAt(least - 0.01), 'de');
});

test('a reading that was given up early is not judged by its first words alone', async () => {
  const heard = new Map([
    ['de', 0.5],
    ['nl', 0.4],
  ]);
  const shareOfGerman = async (readShare: number) => {
    const dutch = { text: DUTCH, average: -1.4, readShare };
    const { readFirstWords } = reading({ de: { text: GERMAN, average: -0.35 }, nl: dutch });
    return (await compareByReading(heard, readFirstWords)).languages.get('de')!;
  };
  assert.ok((await shareOfGerman(0.2)) < 0.75);
  assert.ok((await shareOfGerman(1)) > 0.95);
});

test('where every language is next to impossible, the likeliest is read', async () => {
  const { readFirstWords } = reading({ de: { text: GERMAN, average: -0.3 } });
  const flat = new Map([
    ['nl', 0.01],
    ['de', 0.02],
  ]);
  assert.equal((await compareByReading(flat, readFirstWords)).language, 'de');
});

test('at most four languages are read, and none that is next to impossible', async () => {
  const poor = { text: '', average: -3 };
  const { asked, readFirstWords } = reading({ de: poor, nl: poor, fr: poor, es: poor, it: poor, pt: poor });
  await compareByReading(
    new Map([
      ['pt', 0.01],
      ['it', 0.1],
      ['es', 0.15],
      ['fr', 0.2],
      ['nl', 0.26],
      ['de', 0.28],
    ]),
    readFirstWords,
  );
  assert.deepEqual([...asked.keys()], ['de', 'nl', 'fr', 'es']);
});
