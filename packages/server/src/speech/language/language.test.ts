import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseScript } from './chinese-script.ts';
import { isoOf, modelCodeOf } from './codes.ts';
import { type LanguagePrior, likeliest, rankGuesses, weighLanguages } from './prior.ts';
import { textLanguages } from './text-language.ts';

const known = new Set(['en', 'de', 'jw', 'haw', 'he', 'no', 'zh', 'pt']);

test('codes are ISO 639-1 for callers, or null', () => {
  assert.equal(isoOf('jw'), 'jv');
  assert.equal(isoOf('de'), 'de');
  assert.equal(isoOf('haw'), null);
});

test('hints are parsed as language tags, and unknown ones ignored', () => {
  assert.equal(modelCodeOf('pt-BR', known), 'pt');
  assert.equal(modelCodeOf('JV', known), 'jw');
  assert.equal(modelCodeOf('nb', known), 'no');
  assert.equal(modelCodeOf('tlh', known), null);
  assert.equal(modelCodeOf('', known), null);
});

test('a hint decides between close guesses, not against a clear one', () => {
  const near = new Map([
    ['de', 0.4],
    ['nl', 0.6],
  ]);
  assert.equal(likeliest(weighLanguages(near, { hint: 'de', belief: null }))[0], 'de');
  const clear = new Map([
    ['de', 0.02],
    ['nl', 0.98],
  ]);
  assert.equal(likeliest(weighLanguages(clear, { hint: 'de', belief: null }))[0], 'nl');
});

test('hints and recent languages count more when the audio is unclear', () => {
  const shareOf = (code: string, rest: readonly [string, number][], prior: Partial<LanguagePrior>) =>
    weighLanguages(new Map([[code, 0.1], ...rest]), { hint: null, belief: null, ...prior }).get(code)!;
  const unclear: [string, number][] = Array.from({ length: 9 }, (_, nth) => [`x${nth}`, 0.1]);
  for (const prior of [{ hint: 'sv' }, { recent: new Map([['sv', 1]]) }]) {
    assert.ok(shareOf('sv', unclear, prior) > 0.5);
    assert.ok(shareOf('sv', [['no', 0.9]], prior) < 0.4);
  }
  // In very unclear audio, a hinted language is still considered; in clear audio it is not.
  const unheard = (top: number) =>
    weighLanguages(
      new Map([
        ['ru', top],
        ['uk', 1 - top],
        ['lv', 0],
      ]),
      { hint: 'lv', belief: null },
    ).get('lv')!;
  assert.ok(unheard(0.5) > 0.1);
  assert.equal(unheard(0.9), 0);
  const half = shareOf('sv', unclear, { recent: new Map([['sv', 0.5]]) });
  assert.ok(half > 0.1 && half < shareOf('sv', unclear, { recent: new Map([['sv', 1]]) }));
});

test('languages that are detected more often than spoken count less, unless hinted', () => {
  const detected = new Map([
    ['la', 0.6],
    ['sl', 0.4],
  ]);
  assert.equal(likeliest(weighLanguages(detected, { hint: null, belief: null }))[0], 'sl');
  assert.equal(likeliest(weighLanguages(detected, { hint: 'la', belief: null }))[0], 'la');
});

test('weighted guesses sum to one, and are ranked without codes outside ISO 639-1', () => {
  const weighed = weighLanguages(
    new Map([
      ['haw', 0.5],
      ['jw', 0.3],
      ['en', 0.2],
    ]),
    { hint: 'en', belief: 'en' },
  );
  assert.ok(Math.abs([...weighed.values()].reduce((a, b) => a + b) - 1) < 1e-9);
  assert.deepEqual(
    rankGuesses(weighed).map(({ language }) => language),
    ['en', 'jv'],
  );
});

test('Chinese is simplified unless the hint asks for traditional characters', () => {
  assert.equal(chooseScript('廣州市', 'zh', null), '广州市');
  assert.equal(chooseScript('廣州市', 'zh', 'zh'), '广州市');
  assert.equal(chooseScript('廣州市', 'zh', 'zh-Hant'), '廣州市');
  assert.equal(chooseScript('广州市', 'zh', 'zh-Hant'), '廣州市');
  assert.equal(chooseScript('廣州市', 'ja', null), '廣州市');
});

test('the language of a text is detected only if it is long enough', async () => {
  assert.equal((await textLanguages('Der Zug nach Bremen fährt heute eine halbe Stunde später.'))?.best, 'de');
  assert.equal(await textLanguages('Ja.'), null);
});

const INDONESIAN = 'Saya tidak tahu apakah mereka akan datang besok.';

test('languages that sound alike are distinguished by their text', async () => {
  for (const [language, text] of [
    ['sl', 'Danes zvečer bomo skupaj skuhali večerjo.'],
    ['ca', 'Després de la reunió vam anar a sopar amb els veïns.'],
    ['lv', 'Šodien mēs kopā gatavosim vakariņas.'],
    ['id', INDONESIAN],
  ] as const) {
    const likely = await textLanguages(text);
    assert.equal(likely?.best, language);
    assert.ok(likely.chanceOf(language)! > 0.3);
  }
  const likely = (await textLanguages(INDONESIAN))!;
  assert.equal(likely.chanceOf('ms'), likely.chanceOf('id'));
  assert.equal(likely.chanceOf('mn'), null);
});

test('in unclear speech, a listed language with little training data is not outweighed by one with much', () => {
  const unclear = new Map([
    ['ru', 0.4],
    ['lv', 0.1],
    ['en', 0.5],
  ]);
  const prior = { hint: null, belief: null };
  assert.equal(likeliest(weighLanguages(unclear, { ...prior, allowed: new Set(['lv', 'ru']) }))[0], 'lv');
  const clear = new Map([
    ['ru', 0.98],
    ['lv', 0.01],
  ]);
  assert.equal(likeliest(weighLanguages(clear, { ...prior, allowed: new Set(['lv', 'ru']) }))[0], 'ru');
  const many = new Set(['lv', 'ru', ...'abcdefghij']);
  assert.equal(likeliest(weighLanguages(unclear, { ...prior, allowed: many }))[0], 'ru');
});
