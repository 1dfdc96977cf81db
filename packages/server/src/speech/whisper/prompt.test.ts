import assert from 'node:assert/strict';
import test from 'node:test';
import { scriptedTokenizer } from './testing/scripted-whisper.ts';
import { promptFor, type Whisper } from './transcribe.ts';

test('the prompt contains the preceding text, then the language and the task', () => {
  const tokenizer = { ...scriptedTokenizer, startOfPrevious: 90, transcribe: 91, translate: 92 };
  const whisper = { id: 'scripted', tokenizer } as unknown as Whisper;
  const english = tokenizer.languages.get('en')!;
  const { startOfTranscript, noTimestamps } = tokenizer;
  assert.deepEqual(promptFor(whisper, 'en', []), [startOfTranscript, english, 91, noTimestamps]);
  assert.deepEqual(promptFor(whisper, 'en', [1, 2], 'translate'), [
    90,
    1,
    2,
    startOfTranscript,
    english,
    92,
    noTimestamps,
  ]);
});
