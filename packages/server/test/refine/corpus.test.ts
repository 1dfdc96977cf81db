// The corpus: every case exactly, every edit list true to its text, and a second refinement that changes nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refineSync, refineText } from '../../src/refine/chain.ts';
import { applyEdits } from '../../src/refine/edits.ts';
import { readCorpus } from './corpus.ts';

const cases = readCorpus();

test('the corpus is large enough to mean something', () => {
  assert.ok(cases.length >= 400);
  assert.ok(cases.filter(({ trap }) => trap).length >= 120);
});

for (const kind of new Set(cases.map((each) => each.kind))) {
  describe(kind, () => {
    for (const { input, expected, language, line } of cases.filter((each) => each.kind === kind)) {
      test(line, () => {
        const refined = refineSync(input);
        assert.equal(refined.text, expected);
        assert.equal(applyEdits(refined.rawText, refined.edits), refined.text);
        assert.equal(refineText(refined.text, language).text, refined.text, 'refining twice changes nothing more');
      });
    }
  });
}
