// The AI SDK's OpenAI provider: it refuses an answer with a missing field.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { experimental_transcribe as transcribe } from 'ai';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';

const WORDS = story(40);
const shared = sharedService();

for (const model of ['whisper-1', 'gpt-4o-transcribe'] as const) {
  test(`ai: ${model} with segments, language and length`, async () => {
    const { url, key } = shared();
    const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: key });
    const result = await transcribe({
      model: provider.transcription(model),
      audio: wavOf(spoken(WORDS)),
      maxRetries: 0,
      providerOptions: { openai: { language: 'en', prompt: 'Kubernetes', timestampGranularities: ['segment'] } },
    });
    assert.equal(result.text, WORDS.join(' '));
    if (model !== 'whisper-1') return;
    assert.equal(result.language, 'en');
    assert.ok(result.segments.length > 0);
    assert.ok(result.durationInSeconds! > 10);
  });
}

test('ai: words', async () => {
  const { url, key } = shared();
  const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: key });
  const result = await transcribe({
    model: provider.transcription('whisper-1'),
    audio: wavOf(spoken(WORDS)),
    maxRetries: 0,
    providerOptions: { openai: { timestampGranularities: ['word'] } },
  });
  assert.ok(result.segments.length > 0);
});

test('ai: a wrong key is an error with a message', async () => {
  const { url } = shared();
  const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'fc_wrong' });
  const asked = transcribe({ model: provider.transcription('whisper-1'), audio: wavOf(spoken(WORDS)), maxRetries: 0 });
  await assert.rejects(asked, /API key is not valid/);
});
