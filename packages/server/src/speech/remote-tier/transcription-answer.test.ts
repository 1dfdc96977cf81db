import assert from 'node:assert/strict';
import test from 'node:test';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import { readAnswer } from './transcription-answer.ts';
import { RemoteFault } from './transcription-request.ts';

const window = windowOf({ samples: new Float32Array(32_000), wantWordTimes: true });
const read = (body: object, of = window) => readAnswer(JSON.stringify(body), of);

test('a full response: text, language by name or code, timed words and confidence', async () => {
  const words = [
    { word: ' Guten', start: 0.1, end: 0.5 },
    { word: 'Tag', start: 0.5, end: 9 },
  ];
  const recognition = await read({ text: ' Guten Tag ', language: 'german', words, segments: [{ avg_logprob: -0.4 }] });
  assert.equal(recognition.text, 'Guten Tag');
  assert.deepEqual(recognition.languages, [{ language: 'de', probability: 0.95 }]);
  assert.deepEqual(
    recognition.words.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
    [
      ['Guten', 100, 500],
      ['Tag', 500, 2_000],
    ],
  );
  assert.equal(recognition.averageLogProbability, -0.4);
  assert.equal((await read({ text: 'hi', language: 'pt-BR' })).languages[0]?.language, 'pt');
});

test('a response with text only: words are distributed, the language is detected from the text', async () => {
  const text = 'Das ist ein ganz gewöhnlicher Satz in deutscher Sprache';
  const recognition = await read({ text });
  assert.equal(recognition.languages[0]?.language, 'de');
  assert.equal(recognition.words.map((word) => word.text).join(' '), text);
  assert.ok(
    recognition.words.every(
      ({ startMs, endMs }, at, all) => startMs < endMs && startMs >= (all[at - 1]?.endMs ?? 0) - 1e-6,
    ),
  );
  assert.ok(Math.abs(recognition.words.at(-1)!.endMs - 2_000) < 1e-6);
  assert.deepEqual((await read({ text }, windowOf())).words, []);
});

test('a response without speech has no language and no words', async () => {
  const { text, words, languages } = await read({ text: '  ', language: 'english' });
  assert.deepEqual([text, words, languages], ['', [], []]);
});

test('an invalid response is a fault that does not quote it', async () => {
  for (const body of ['secret', '{"secret":1}', '{"text":["secret"]}', 'null'])
    await assert.rejects(
      () => readAnswer(body, window),
      (thrown) => thrown instanceof RemoteFault && !thrown.message.includes('secret'),
    );
});

test('a text that is far too long for the audio is a fault', async () => {
  const word = { word: 'again', start: 0, end: 1 };
  const isFault = (thrown: unknown) => thrown instanceof RemoteFault && /too long/.test(thrown.message);
  for (const body of [
    { text: 'x'.repeat(5_000) },
    { text: 'hi', words: Array.from({ length: 2_000 }, () => word) },
    { text: 'hi', words: Array.from({ length: 10_000 }, () => ({ ...word, word: '' })) },
  ])
    await assert.rejects(() => read(body), isFault);
  const looping = 'thank you '.repeat(400);
  assert.equal((await read({ text: looping, words: [word] })).text, looping.trim());
  const longer = windowOf({ samples: new Float32Array(320_000) });
  assert.equal((await read({ text: 'x'.repeat(5_000) }, longer)).text.length, 5_000);
});
