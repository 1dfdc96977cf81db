// Terms of a Deepgram request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelNames } from '../../calls/model-names.ts';
import { readDeepgramOptions } from './parameters.ts';

const names = { tierOf: () => 'svc-1.0-pro' } as unknown as ModelNames;
const vocabularyOf = (query: Record<string, string | string[]>) =>
  readDeepgramOptions(query, names, 'file').transcription.vocabulary;

test('searches and replacements have a limited length', () => {
  const search = (text: string) => readDeepgramOptions({ search: text }, names, 'file').searches;
  assert.deepEqual(search('new york'), ['new york']);
  assert.throws(() => search('x'.repeat(101)), { code: 'INVALID_REQUEST' });
  const read = (replace: string) => readDeepgramOptions({ replace }, names, 'file').replacements;
  assert.deepEqual(read('new york:Boston'), [{ find: 'new york', replace: 'Boston' }]);
  for (const long of [`the:${'x'.repeat(101)}`, `${'x'.repeat(101)}:the`])
    assert.throws(() => read(long), { code: 'INVALID_REQUEST' });
});

test('keyterms and keywords are terms; an intensifier is a weight', () => {
  const query = { keyterm: 'Nguyen (sounds like win)', keywords: ['etcd', 'Istio:2', 'snuffle:-10', 'a:b'] };
  assert.deepEqual(vocabularyOf(query), [
    { text: 'Nguyen', soundsLike: ['win'] },
    { text: 'etcd' },
    { text: 'Istio', weight: 2 },
    { text: 'snuffle', weight: 0 },
    { text: 'a:b' },
  ]);
});

test('a term of 10 kB is refused', () => {
  assert.throws(() => vocabularyOf({ keyterm: 'x'.repeat(10_000) }), { code: 'INVALID_REQUEST' });
});
