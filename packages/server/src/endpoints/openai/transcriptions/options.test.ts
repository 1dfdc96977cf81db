import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { OPENAI_FIELDS, type Support, withWarning } from './options.ts';

const WORDING: Readonly<Record<Support, string>> = { yes: 'yes', ignored: 'ignored with a warning' };

test('the document says how every field is handled', async () => {
  const page = await readFile(new URL('../../../../../../../docs/openai.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`[a-z_]+(?:\[\])?`(?:, )?)+) \| (yes|ignored with a warning) \|/gm)];
  const documented = rows.flatMap(([, names = '', support]) =>
    [...names.matchAll(/[a-z_]+/g)].map(([name]) => [name, support] as const),
  );
  assert.deepEqual(
    Object.fromEntries(documented),
    Object.fromEntries(Object.entries(OPENAI_FIELDS).map(([name, support]) => [name, WORDING[support]])),
  );
});

test('a field without effect gives one warning, however often it is sent, and the number of warnings is limited', () => {
  const twice = withWarning(withWarning([], 'known_speaker_names[]'), 'known_speaker_names[]');
  assert.deepEqual(twice, ['"known_speaker_names" has no effect here.']);
  assert.deepEqual(withWarning([], 'best_of'), ['"best_of" is not known here and was ignored.']);
  const many = Array.from({ length: 40 }, (_, at) => `x${at}`).reduce<readonly string[]>(withWarning, []);
  assert.equal(many.length, 16);
});
