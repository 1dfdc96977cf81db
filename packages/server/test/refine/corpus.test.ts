// Tests the corpus: the exact text of every case, a correct edit list, and a second refinement without changes.
// Runs with the tagger and with only the rules, which apply if the model weights are missing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refineSync, refineText } from '../../src/refine/chain.ts';
import { applyEdits } from '../../src/refine/edits.ts';
import { readCorpus } from './corpus.ts';
import { refineWhole, refineWholeText } from './whole-chain.ts';

const cases = readCorpus();
/** Only the tagger can correct these. */
const TAGGER_KINDS = new Set(['taken-back']);

test('the corpus is large enough', () => {
  assert.ok(cases.length >= 1400);
  assert.ok(cases.filter(({ trap }) => trap).length >= 500);
});

for (const kind of new Set(cases.map((each) => each.kind))) {
  describe(kind, () => {
    for (const { input, expected, language, line } of cases.filter((each) => each.kind === kind)) {
      test(line, async () => {
        const refined = await refineWhole(input);
        assert.equal(refined.text, expected);
        assert.equal(applyEdits(refined.rawText, refined.edits), refined.text);
        const again = await refineWholeText(refined.text, language);
        assert.equal(again.text, refined.text, 'refining twice changes nothing more');
      });
      if (TAGGER_KINDS.has(kind)) continue;
      test(`rules only: ${line}`, () => {
        const refined = refineSync(input);
        assert.equal(refined.text, expected);
        assert.equal(applyEdits(refined.rawText, refined.edits), refined.text);
        assert.equal(refineText(refined.text, language).text, refined.text, 'refining twice changes nothing more');
      });
    }
  });
}
