// Terms of a Deepgram request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelNames } from '../../calls/model-names.ts';
import { readDeepgramOptions } from './parameters.ts';

const names = { tierOf: () => 'svc-1.0-pro' } as unknown as ModelNames;
const vocabularyOf = (query: Record<string, string | string[]>) =>
  readDeepgramOptions(query, names, 'file').transcription.vocabulary;

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
