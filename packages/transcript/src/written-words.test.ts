import assert from 'node:assert/strict';
import test from 'node:test';
import type { RefinedTranscript, TextEdit, TimedText } from './types.ts';
import { writtenWords } from './written-words.ts';

/** Each word takes 300 ms; a word starts every 400 ms. */
const spoken = (text: string): TimedText[] =>
  text.split(' ').map((word, at) => ({ text: word, startMs: at * 400, endMs: at * 400 + 300, confidence: 0.5 }));

const refined = (rawText: string, ...changes: [before: string, after: string][]): RefinedTranscript => {
  let from = 0;
  const edits = changes.map(([before, after]): TextEdit => {
    const rawStart = rawText.indexOf(before, from);
    assert.notEqual(rawStart, -1, before);
    from = rawStart + before.length;
    return { after, rawStart, rawEnd: from };
  });
  return { rawText, edits, words: spoken(rawText), segments: [] };
};

const shown = (transcript: RefinedTranscript): string[] =>
  writtenWords(transcript).map(({ text, startMs, endMs }) => `${text} ${startMs}-${endMs}`);

test('unchanged words keep their times and get their punctuation', () => {
  assert.deepEqual(shown(refined('hello there friend', ['hello', 'Hello,'], ['friend', 'friend.'])), [
    'Hello, 0-300',
    'there 400-700',
    'friend. 800-1100',
  ]);
});

test('a written form lasts from the first to the last spoken word', () => {
  const words = writtenWords(refined('move it to three p m please', ['three p m', '3 p.m.']));
  const texts = words.map(({ text }) => text);
  assert.deepEqual(texts, ['move', 'it', 'to', '3', 'p.m.', 'please']);
  assert.equal(words[3]!.startMs, 1200);
  assert.equal(words[4]!.endMs, 2300);
  assert.ok(words[3]!.endMs <= words[4]!.startMs + 1e-6);
  assert.deepEqual(shown(refined('it costs three dollars fifty now', ['three dollars fifty', '$3.50'])).slice(2, 3), [
    '$3.50 800-1900',
  ]);
});

test('the time of deleted words is not added to other words', () => {
  assert.deepEqual(shown(refined('um well I mean yes', ['um well I mean yes', 'Yes'])), ['Yes 1600-1900']);
  assert.deepEqual(shown(refined('with uh twenty five', [' uh twenty five', ' 25'])), ['with 0-300', '25 800-1500']);
  assert.deepEqual(shown(refined('send um the the report', ['um the ', ''], ['report', 'report.'])), [
    'send 0-300',
    'the 1200-1500',
    'report. 1600-1900',
  ]);
});

test('each word of a long edit is matched to its spoken word', () => {
  const edit: [string, string] = ['um so on the third of may at noon', 'So, on 3 May at noon'];
  assert.deepEqual(shown(refined('um so on the third of may at noon', edit)), [
    'So, 400-700',
    'on 800-1100',
    '3 1200-2300',
    'May 2400-2700',
    'at 2800-3100',
    'noon 3200-3500',
  ]);
});

test('words that nobody spoke are placed at the end of the previous word, and times never run backwards', () => {
  const words = writtenWords(refined('milk and bread', ['milk and ', '- Milk\n- '], ['bread', 'Bread']));
  assert.equal(words.map(({ gap, text }) => gap + text).join(''), '- Milk\n- Bread');
  let lastMs = 0;
  for (const { startMs, endMs } of words) {
    assert.ok(startMs >= lastMs && endMs >= startMs);
    lastMs = startMs;
  }
  assert.equal(words.at(-1)!.startMs, 800);
});

test('segments are used where words have no times', () => {
  const transcript: RefinedTranscript = {
    rawText: 'abcd efgh',
    edits: [],
    words: [],
    segments: [{ text: 'abcd efgh', startMs: 1_000, endMs: 1_900, confidence: 1 }],
  };
  assert.deepEqual(shown(transcript), ['abcd 1000-1400', 'efgh 1500-1900']);
});

test('scripts without spaces are split into words with their punctuation', () => {
  const rawText = '今天天气很好我们去公园';
  const words = [...rawText].map((text, at) => ({ text, startMs: at * 100, endMs: at * 100 + 100, confidence: 1 }));
  const edits = [
    { after: '，', rawStart: 6, rawEnd: 6 },
    { after: '。', rawStart: 11, rawEnd: 11 },
  ];
  const written = writtenWords({ rawText, edits, words, segments: [] });
  assert.equal(written.map(({ gap, text }) => gap + text).join(''), '今天天气很好，我们去公园。');
  assert.ok(written.length > 4);
  assert.equal(written[0]!.startMs, 0);
  assert.equal(written.at(-1)!.endMs, 1100);
  for (const { text } of written) assert.doesNotMatch(text, /^[，。]/);
});

test('an empty transcript has no words', () => {
  assert.deepEqual(writtenWords({ rawText: '', edits: [], words: [], segments: [] }), []);
});

test('a segment without times among timed words is placed between them, also in a very long transcript', () => {
  const count = 50_000;
  const words = spoken('a '.repeat(count).trimEnd()).filter((_, at) => at < 10 || at >= 20);
  const segments = Array.from({ length: count / 10 }, (_, at) => ({
    text: 'a '.repeat(10).trimEnd(),
    startMs: at * 4_000,
    endMs: at * 4_000 + 3_900,
    confidence: 0.5,
  }));
  const written = writtenWords({ rawText: 'a '.repeat(count).trimEnd(), edits: [], words, segments });
  assert.equal(written.length, count);
  assert.deepEqual([written[9]!.endMs, written[10]!.startMs, written[20]!.startMs], [3_900, 4_000, 8_000]);
});
