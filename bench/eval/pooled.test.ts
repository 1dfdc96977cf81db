import assert from 'node:assert/strict';
import test from 'node:test';
import { PooledErrors, speakerOf } from './pooled.ts';
import type { ManifestRow } from './score.ts';

const row = (file: string, text: string | null, more: Partial<ManifestRow> = {}): ManifestRow => ({
  file,
  text,
  language: 'en',
  ...more,
});
const manifest: readonly ManifestRow[] = [
  row('a/1.wav', 'one two three four', { speaker: 'x' }),
  row('a/2.wav', 'five six', { speaker: 'x' }),
  row('b/3.wav', 'seven eight nine ten'),
  row('b/4.wav', '', { language: '' }),
  row('b/5.wav', 'never counted', { score: false }),
  row('zh/6.wav', '今日', { language: 'zh' }),
];
const heard = (...texts: readonly string[]) =>
  new Map(manifest.map(({ file }, nth) => [file, { file, text: texts[nth] ?? '' }]));

test('clips are pooled by kind, silence and unscored clips are excluded, and each speaker counts once', () => {
  const pooled = new PooledErrors();
  pooled.add('ours', 'set', manifest, heard('one two tree four', 'five six', 'seven eight nine ten', 'x', 'x', '今天'));
  const rates = pooled.rates();
  assert.deepEqual(
    rates.map((rate) => [rate.recordings, rate.speakers, rate.words, rate['error %']]),
    [
      ['English, words', 2, 10, '10.0'],
      ['other languages, characters', 1, 2, '50.0'],
    ],
  );
});

test('two systems are compared on the clips that both transcribed', () => {
  const pooled = new PooledErrors();
  const all = heard('one two three four', 'five six', 'seven eight nine ten');
  const { file } = manifest[0]!;
  pooled.add('ours', 'set', manifest, all);
  pooled.add('theirs', 'set', manifest, new Map([[file, { file, text: 'one two' }]]));
  const [compared] = pooled.differences();
  assert.deepEqual([compared?.systems, compared?.clips, compared?.points], ['ours minus theirs', 1, '-50.00']);
  assert.equal(compared?.finding, 'ours is better');
});

test('a difference whose interval includes zero is reported as no difference', () => {
  const pooled = new PooledErrors();
  pooled.add('ours', 'set', manifest, heard('one two three four', 'five six', 'seven ate nine ten'));
  pooled.add('theirs', 'set', manifest, heard('one two tree four', 'five sick', 'seven eight nine ten'));
  assert.equal(pooled.differences()[0]?.finding, 'no difference shown');
});

test('recordings of one reader count as one speaker, by field or by file name', () => {
  assert.equal(speakerOf(row('a/1.wav', '', { speaker: '61' })), '61');
  assert.equal(speakerOf(row('mix/3331-159605-0002_kitchen_snr05.flac', '')), '3331');
  assert.equal(speakerOf(row('misc/clip.wav', '')), 'misc/clip.wav');
});
