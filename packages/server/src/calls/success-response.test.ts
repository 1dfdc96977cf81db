// Vocabulary terms in the detail of an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_TEXT } from '../transcription/transcript-collector.ts';
import { successBody } from './success-response.ts';

const transcript = {
  ...EMPTY_TEXT,
  text: 'King Merneptah.',
  rawText: 'King Merneptah.',
  terms: [{ text: 'Merneptah', instead: 'Marineptah', start: 5, end: 14 }],
  recognitionMs: 0,
  refinementMs: 0,
  refinementFallback: null,
};

test('the detail lists the terms that were written and the words that they replaced', () => {
  const facts = { requestId: 'r', include: new Set(['terms'] as const) };
  const { detail } = successBody({ transcript, audioSeconds: 1 }, facts);
  assert.deepEqual(detail, { terms: [{ term: 'Merneptah', instead: 'Marineptah', raw_start: 5, raw_end: 14 }] });
});

test('terms are not in the answer unless they are requested', () => {
  const { detail } = successBody(
    { transcript, audioSeconds: 1 },
    { requestId: 'r', include: new Set(['raw'] as const) },
  );
  assert.deepEqual(detail, { raw: 'King Merneptah.' });
});
