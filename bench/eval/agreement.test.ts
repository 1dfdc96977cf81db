import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorRatePercent, type Hypothesis, type ManifestRow, scoreFolders } from './score.ts';

const EVAL = fileURLToPath(new URL('../../../../shared/eval', import.meta.url));
const skip = !existsSync(join(EVAL, 'wer.py'))
  ? 'the speech set with its scorer was not found beside the repository'
  : spawnSync('python3', ['--version']).status === 0
    ? false
    : 'python3 is not installed';

/** Imitates a careless recogniser: words lost, changed or doubled, and numbers in digits. */
const mangle = (text: string, seed: number): string =>
  text
    .split(' ')
    .flatMap((word, index) => {
      const die = (index * 7919 + seed * 104_729) % 23;
      if (die === 0) return [];
      if (die === 1) return [word, word];
      if (die === 2) return [`${word}s`];
      if (die === 3) return [`${word},`, '1,205', '$3.50', "it's", 'U.S.', '10:30', '21st'];
      return [die % 2 ? word.toUpperCase() : word];
    })
    .join(' ');

test('the scores of every folder equal those of the reference scorer', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-scores-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const set of ['en', 'multi', 'noise']) {
    const manifestPath = join(EVAL, set, 'manifest.jsonl');
    const lines = readFileSync(manifestPath, 'utf8').trim().split('\n');
    const manifest = lines.map((line) => JSON.parse(line) as ManifestRow);
    const hypotheses = manifest.map(
      ({ file, text, language }, index): Hypothesis => ({
        file,
        text: mangle(text ?? 'thank you', index),
        language: index % 5 ? (language ?? null) : 'xx',
      }),
    );
    const hypothesisPath = join(folder, `${set}.jsonl`);
    writeFileSync(hypothesisPath, hypotheses.map((row) => JSON.stringify(row)).join('\n'));
    const { stdout } = spawnSync('python3', [join(EVAL, 'wer.py'), manifestPath, hypothesisPath], { encoding: 'utf8' });
    const expected = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s{2,}/));
    const scores = scoreFolders(manifest, new Map(hypotheses.map((row) => [row.file, row])));
    assert.equal(scores.length, expected.length);
    scores.forEach((score, index) => {
      const rate = errorRatePercent(score);
      assert.deepEqual(
        [
          score.folder,
          score.clips,
          score.scored,
          score.referenceWords,
          rate === null ? '-' : rate.toFixed(1),
          score.substitutions,
          score.deletions,
          score.insertions,
        ].map(String),
        [0, 1, 2, 3, 5, 6, 7, 8].map((column) => expected[index]?.[column]),
      );
    });
  }
});
