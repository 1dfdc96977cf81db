import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { DEEPGRAM_OPTIONS, type Support, warningsFor } from './options.ts';

const WORDING: Readonly<Record<Support, string>> = {
  yes: 'yes',
  ignored: 'warning',
  refused: 'refused',
  none: '–',
};

test('the document says how every option is handled', async () => {
  const page = await readFile(new URL('../../../../../../docs/deepgram.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].flatMap(
    ([, names = '', ...support]) => [...names.matchAll(/[a-z_]+/g)].map(([name]) => [name, support] as const),
  );
  const documented = Object.fromEntries(rows);
  const expected = Object.fromEntries(
    Object.entries(DEEPGRAM_OPTIONS).map(([name, { file, live, turns }]) => [
      name,
      [file, live, turns].map((support) => WORDING[support]),
    ]),
  );
  assert.deepEqual(documented, expected);
});

test('an option without effect is answered with a warning, unless it is off; a refused one with a fault', () => {
  const query = { model: 'nova-3', summarize: 'v2', topics: 'false', endpointing: '300', made_up: '1' };
  assert.deepEqual(
    warningsFor(query, 'file').map(({ parameter, message }) => [parameter, message]),
    [
      ['summarize', '"summarize" is not available here and was ignored.'],
      ['endpointing', '"endpointing" has no effect at this endpoint.'],
      ['made_up', '"made_up" is not known here and was ignored.'],
    ],
  );
  assert.deepEqual(warningsFor({ endpointing: '300' }, 'live'), []);
  assert.equal(warningsFor({ num_speakers: '2' }, 'live').length, 0);
  assert.equal(warningsFor({ num_speakers: '2', eot_threshold: '0.8' }, 'turns').length, 1);
  assert.throws(() => warningsFor({ callback: 'pci' }, 'file'), { code: 'INVALID_REQUEST' });
  assert.equal(
    warningsFor(Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`x${at}`, '1'])), 'file').length,
    32,
  );
});
