import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BY_SOUND, compareLanguages } from './compare-languages.ts';

const GERMAN = 'Das ist ein Satz, den jeder in Deutschland sofort versteht.';
const DUTCH = 'Dit is een zin die iedereen in Nederland meteen begrijpt.';

/** Decodes to these texts, and records the requested languages. */
const decoding = (
  texts: Record<string, { text: string; average: number; decodedShare?: number; isLoop?: boolean }>,
) => {
  const asked = new Map<string, number>();
  const decodeFirstWords = async (language: string, averageMin: number) => {
    asked.set(language, averageMin);
    const { text, average, decodedShare = 1, isLoop = false } = texts[language]!;
    return { text, averageLogProbability: average, decodedShare, isLoop };
  };
  return { asked, decodeFirstWords };
};

test('the best text decides, not the acoustic probability', async () => {
  const { decodeFirstWords } = decoding({ de: { text: DUTCH, average: -1 }, nl: { text: DUTCH, average: -0.2 } });
  const { language, beginning, languages } = await compareLanguages(
    new Map([
      ['de', 0.6],
      ['nl', 0.4],
    ]),
    decodeFirstWords,
  );
  assert.equal(language, 'nl');
  assert.equal(beginning, DUTCH);
  assert.ok(languages.get('nl')! > 0.8);
  assert.ok(Math.abs([...languages.values()].reduce((sum, value) => sum + value, 0) - 1) < 1e-9);
});

test('a text that matches its language beats a higher acoustic probability; an unknown one is neutral', async () => {
  const SLOVENE = 'Danes zvečer bomo skupaj skuhali večerjo za prijatelje.';
  const text = { text: SLOVENE, average: -0.3 };
  const { decodeFirstWords } = decoding({ sl: text, hr: text, mi: text });
  const winnerOf = async (...guess: [string, number][]) =>
    (await compareLanguages(new Map(guess), decodeFirstWords)).language;
  assert.equal(await winnerOf(['hr', 0.6], ['sl', 0.1]), 'sl');
  assert.equal(await winnerOf(['hr', 0.4], ['mi', 0.35]), 'mi');
});

test('a loop never wins', async () => {
  const loop = { text: 'ja ja ja', average: -0.01, isLoop: true };
  const { decodeFirstWords } = decoding({ de: loop, nl: { text: DUTCH, average: -0.9 } });
  assert.equal(
    (
      await compareLanguages(
        new Map([
          ['de', 0.7],
          ['nl', 0.3],
        ]),
        decodeFirstWords,
      )
    ).language,
    'nl',
  );
});

test('a language that cannot win is not decoded, and still gets a share', async () => {
  const { asked, decodeFirstWords } = decoding({
    de: { text: GERMAN, average: -0.1 },
    nl: { text: DUTCH, average: 0 },
  });
  const { language, languages } = await compareLanguages(
    new Map([
      ['de', 0.75],
      ['nl', 0.2],
    ]),
    decodeFirstWords,
  );
  assert.equal(language, 'de');
  assert.deepEqual([...asked.keys()], ['de']);
  assert.ok(languages.get('nl')! > 0 && languages.get('nl')! < 0.2);
});

test('the required average is the least with which a text can win, however well it matches its language', async () => {
  const detected = new Map([
    ['de', 0.5],
    ['nl', 0.4],
  ]);
  const { asked, decodeFirstWords } = decoding({
    de: { text: GERMAN, average: -0.4 },
    nl: { text: DUTCH, average: -1 },
  });
  await compareLanguages(detected, decodeFirstWords);
  assert.equal(asked.get('de'), Number.NEGATIVE_INFINITY);
  const least = asked.get('nl')!;
  assert.ok(least < 0);
  const winnerAt = async (average: number) => {
    const again = decoding({ de: { text: GERMAN, average: -0.4 }, nl: { text: DUTCH, average } });
    return (await compareLanguages(detected, again.decodeFirstWords)).language;
  };
  // A text never matches its language with certainty.
  assert.equal(await winnerAt(least + 0.2), 'nl');
  assert.equal(await winnerAt(least - 0.01), 'de');
});

test('a text that was stopped early is not judged by its first words only', async () => {
  const detected = new Map([
    ['de', 0.5],
    ['nl', 0.4],
  ]);
  const shareOfGerman = async (decodedShare: number) => {
    const dutch = { text: DUTCH, average: -1.4, decodedShare };
    const { decodeFirstWords } = decoding({ de: { text: GERMAN, average: -0.35 }, nl: dutch });
    return (await compareLanguages(detected, decodeFirstWords)).languages.get('de')!;
  };
  assert.ok((await shareOfGerman(0.2)) < 0.65);
  assert.ok((await shareOfGerman(1)) > 0.8);
});

test('when every language is very improbable, the most probable one is decoded', async () => {
  const { decodeFirstWords } = decoding({ de: { text: GERMAN, average: -0.3 } });
  const flat = new Map([
    ['nl', 0.01],
    ['de', 0.02],
  ]);
  assert.equal((await compareLanguages(flat, decodeFirstWords)).language, 'de');
});

test('at most six languages are decoded, and no very improbable one', async () => {
  const poor = { text: '', average: -3 };
  const codes = ['de', 'nl', 'fr', 'es', 'it', 'pt', 'ro', 'sv'];
  const { asked, decodeFirstWords } = decoding(Object.fromEntries(codes.map((code) => [code, poor])));
  const askedFor = async (guess: readonly [string, number][]) => {
    asked.clear();
    await compareLanguages(new Map(guess), decodeFirstWords);
    return [...asked.keys()];
  };
  assert.deepEqual(await askedFor(codes.map((code, nth) => [code, 0.2 - nth / 100])), codes.slice(0, 6));
  assert.deepEqual(
    await askedFor([
      ['pt', 0.005],
      ['it', 0.1],
      ['de', 0.3],
    ]),
    ['de', 'it'],
  );
});

test('by sound, the likeliest language wins and is the only one decoded', async () => {
  const detected = new Map([
    ['de', 0.5],
    ['nl', 0.45],
  ]);
  const { asked, decodeFirstWords } = decoding({ de: { text: DUTCH, average: -2 }, nl: { text: DUTCH, average: 0 } });
  const { language, languages, beginning } = await compareLanguages(detected, decodeFirstWords, BY_SOUND);
  assert.equal(language, 'de');
  assert.equal(beginning, DUTCH);
  assert.deepEqual([...asked.keys()], ['de']);
  assert.ok(Math.abs(languages.get('de')! - 0.5 / 0.95) < 1e-9);
});

test('by sound, a loop or a text in a foreign script loses to a nearly as likely language, not to an unlikely one', async () => {
  const tamil = { text: 'உன்னைக் காலம் போது நித்து', average: -0.4 };
  const winnerAgainst = async (malayalam: { text: string; average: number; isLoop?: boolean }, probability: number) => {
    const { decodeFirstWords } = decoding({ ml: malayalam, ta: tamil });
    const detected = new Map([
      ['ml', 0.67],
      ['ta', probability],
    ]);
    return (await compareLanguages(detected, decodeFirstWords, BY_SOUND)).language;
  };
  const foreign = { text: 'Unne kaalam bhodinide', average: -0.9 };
  const loop = { text: 'ഉന്നൈ ഉന്നൈ ഉന്നൈ', average: -0.1, isLoop: true };
  assert.equal(await winnerAgainst(foreign, 0.3), 'ta');
  assert.equal(await winnerAgainst(loop, 0.3), 'ta');
  assert.equal(await winnerAgainst(foreign, 0.1), 'ml');
  assert.equal(await winnerAgainst({ text: 'ഉന്നൈ കാണും', average: -0.9 }, 0.3), 'ml');
});
