import assert from 'node:assert/strict';
import test from 'node:test';
import { EMPTY_TEXT, TranscriptCollector } from './transcript-collector.ts';

test('a final that is empty after refinement adds no space to the text', () => {
  const collector = new TranscriptCollector();
  for (const [text, rawText] of [
    ['Hello.', 'Hello.'],
    ['', '[Music]'],
    ['Bye.', 'Bye.'],
  ] as const)
    collector.take({
      type: 'final',
      final: { startMs: 0, endMs: 0, endedBy: 'endpoint', transcript: { ...EMPTY_TEXT, text, rawText } },
    });
  collector.take({ type: 'done', summary: {} as never });
  const { text, rawText } = collector.transcript;
  assert.deepEqual([text, rawText], ['Hello. Bye.', 'Hello. [Music] Bye.']);
});
