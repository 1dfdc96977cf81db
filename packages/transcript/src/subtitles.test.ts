import assert from 'node:assert/strict';
import test from 'node:test';
import { isFunctionWord } from './function-words.ts';
import { textSegments } from './segments.ts';
import { paragraphs } from './speakers/paragraphs.ts';
import { srtOf, vttOf } from './subtitle-files.ts';
import { columnsOf } from './subtitle-lines.ts';
import { SUBTITLE_LIMITS, subtitles } from './subtitles.ts';
import type { WrittenWord } from './types.ts';
import { writtenWords } from './written-words.ts';

/** One word per 300 ms; `|` is a pause of two seconds. */
const spoken = (text: string, msPerWord = 300): WrittenWord[] => {
  let atMs = 0;
  return text.split(' ').flatMap((word): WrittenWord[] => {
    if (word === '|') {
      atMs += 2_000;
      return [];
    }
    const startMs = atMs;
    atMs += msPerWord;
    return [{ gap: startMs === 0 ? '' : ' ', text: word, startMs, endMs: atMs - 20, confidence: 1 }];
  });
};

const check = (words: readonly WrittenWord[]): void => {
  const cues = subtitles(words);
  let lastEndMs = 0;
  for (const { startMs, endMs, lines } of cues) {
    assert.ok(lines.length >= 1 && lines.length <= SUBTITLE_LIMITS.linesMax);
    for (const line of lines) {
      assert.ok(columnsOf(line) <= SUBTITLE_LIMITS.lineColumnsMax, line);
      assert.equal(line, line.trim());
    }
    assert.ok(startMs >= lastEndMs, 'no overlap');
    assert.ok(endMs - startMs <= SUBTITLE_LIMITS.cueMsMax);
    lastEndMs = endMs;
  }
  const shown = cues
    .flatMap(({ lines }) => lines)
    .join('')
    .replaceAll(/\s/g, '');
  assert.equal(shown, words.map(({ text }) => text).join(''), 'every word is shown, in order');
};

test('a short sentence is one cue, shown long enough to be read', () => {
  const [cue, ...others] = subtitles(spoken('Thank you.'));
  assert.deepEqual(others, []);
  assert.deepEqual(cue, { startMs: 0, endMs: 1_000, lines: ['Thank you.'], speaker: null });
});

test('cues end with sentences and clauses', () => {
  const text =
    'We looked at the figures for the last quarter, and they are better than anyone expected. ' +
    'The new plant is running, the old one will close in May, and nobody will lose their job.';
  const words = spoken(text);
  check(words);
  for (const { lines } of subtitles(words)) assert.match(lines.join(' '), /[.,]$/);
});

test('a long pause separates cues', () => {
  const cues = subtitles(spoken('Wait a moment | here it is'));
  assert.deepEqual(
    cues.map(({ lines }) => lines.join(' ')),
    ['Wait a moment', 'here it is'],
  );
  assert.ok(cues[0]!.endMs <= cues[1]!.startMs);
});

test('all cues respect the limits: long, fast and slow words, with and without punctuation', () => {
  let state = 7;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let round = 0; round < 200; round++) {
    const words = Array.from({ length: 1 + below(80) }, () => {
      const mark = ['', '', '', ',', '.', '?', ' |'][below(7)];
      return 'x'.repeat(1 + below(below(20) === 0 ? 90 : 12)) + mark;
    });
    check(spoken(words.join(' '), 60 + below(900)));
  }
});

test('short cues are extended when there is time', () => {
  const cues = subtitles(spoken('One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten.', 350));
  for (const { startMs, endMs } of cues) assert.ok(endMs - startMs >= SUBTITLE_LIMITS.cueMsMin, `${endMs - startMs}`);
});

test('scripts without spaces are split between words', () => {
  const rawText =
    '我们今天在公园里散步，然后去了一家很好的餐厅吃晚饭，大家都非常高兴，因为天气很好，而且没有人迟到。'.repeat(3);
  const segments = [{ text: rawText, startMs: 0, endMs: rawText.length * 180, confidence: 1 }];
  const words = writtenWords({ rawText, edits: [], words: [], segments });
  check(words);
  assert.ok(subtitles(words).length > 3);
});

test('srt and vtt files have the right numbers, times and escapes', () => {
  const cues = [
    { startMs: 0, endMs: 1_500, lines: ['a < b & c', 'x --> y'], speaker: null },
    { startMs: 3_723_004, endMs: 3_725_040, lines: ['end'], speaker: null },
  ];
  assert.equal(
    srtOf(cues),
    '1\n00:00:00,000 --> 00:00:01,500\na < b & c\nx -> y\n\n2\n01:02:03,004 --> 01:02:05,040\nend\n\n',
  );
  assert.equal(
    vttOf(cues),
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\na &lt; b &amp; c\nx --&gt; y\n\n01:02:03.004 --> 01:02:05.040\nend\n\n',
  );
});

test('segments are sentences and concatenate to the text', () => {
  const words = spoken('This is one. And this, Mr. Smith, is another one | with a pause.');
  const segments = textSegments(words);
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['This is one.', ' And this, Mr. Smith, is another one', ' with a pause.'],
  );
  assert.equal(segments[1]!.startMs, 900);
});

/** The words of a dialogue; each speaker says a sentence. */
const dialogue = (...sentences: readonly (readonly [number, string])[]): WrittenWord[] =>
  sentences.flatMap(([speaker, sentence], nth) =>
    sentence.split(' ').map((text, index) => {
      const startMs = 200 * (10 * nth + index);
      const gap = nth + index === 0 ? '' : ' ';
      return { text, gap, startMs, endMs: startMs + 180, confidence: 1, speaker: { speaker, confidence: 0.9 } };
    }),
  );

test('no cue, segment or paragraph holds words of two people, and files name the speakers', () => {
  const words = dialogue([0, 'So what do'], [1, 'you mean by that.'], [0, 'Nothing.']);
  const cues = subtitles(words);
  assert.deepEqual(
    cues.map(({ lines, speaker }) => [speaker, lines.join(' ')]),
    [
      [0, 'So what do'],
      [1, 'you mean by that.'],
      [0, 'Nothing.'],
    ],
  );
  assert.deepEqual(
    textSegments(words).map(({ text, speaker }) => [speaker?.speaker, text]),
    [
      [0, 'So what do'],
      [1, ' you mean by that.'],
      [0, ' Nothing.'],
    ],
  );
  assert.deepEqual(
    paragraphs(words).map(({ speaker, text, startMs }) => [speaker, text, startMs]),
    [
      [0, 'So what do', 0],
      [1, 'you mean by that.', 2_000],
      [0, 'Nothing.', 4_000],
    ],
  );
  const nameOf = (speaker: number) => (speaker === 0 ? 'Ann <A>' : 'Ben');
  assert.match(vttOf(cues, nameOf), /\n<v Ann &lt;A&gt;>So what do\n\n.*\n<v Ben>you mean/);
  const twice = srtOf([cues[0]!, { ...cues[0]!, startMs: 5_000 }, cues[1]!], nameOf);
  assert.match(twice, /\nAnn <A>: So what do\n\n2\n.*\nSo what do\n\n3\n.*\nBen: you mean/);
});

test('a form written for several words belongs to the speaker of most of it', () => {
  const by = (speaker: number) => ({ speaker, confidence: 1 });
  const words = [
    { text: 'yes', startMs: 0, endMs: 100, confidence: 1, speaker: by(0) },
    { text: 'twenty', startMs: 200, endMs: 300, confidence: 1, speaker: by(1) },
    { text: 'one', startMs: 300, endMs: 400, confidence: 1, speaker: null },
  ];
  const edits = [{ after: '21', rawStart: 4, rawEnd: 14 }];
  const written = writtenWords({ rawText: 'yes twenty one', edits, words, segments: [] });
  assert.deepEqual(
    written.map(({ text, speaker }) => [text, speaker?.speaker]),
    [
      ['yes', 0],
      ['21', 1],
    ],
  );
});

test('no cue ends with an article, a preposition or a conjunction if that can be avoided', () => {
  const text =
    'we went to the house of the friends that my sister knew from the time in the city and we stayed there for the ' +
    'whole of the week because the weather was good and the food on the table was the best that we had ever eaten';
  const words = spoken(text);
  const ends = subtitles(words).map(({ lines }) => lines.at(-1)!.split(' ').at(-1)!);
  assert.ok(ends.length >= 3);
  assert.deepEqual(ends.filter(isFunctionWord), []);
  check(words);
});

test('no cue spans a long pause, and none is shown for less than a second', () => {
  const cues = subtitles(spoken('one two | | three | | four five'));
  assert.deepEqual(
    cues.map(({ lines }) => lines.join(' ')),
    ['one two', 'three', 'four five'],
  );
  const by = (speaker: number) => ({ speaker, confidence: 1 });
  const answers = spoken('yes no | | yes no', 600).map((word, index) => ({ ...word, speaker: by(index % 2) }));
  const shown = subtitles(answers);
  assert.equal(shown.length, 4);
  for (const { startMs, endMs } of shown) assert.ok(endMs - startMs >= SUBTITLE_LIMITS.cueMsMin);
});
