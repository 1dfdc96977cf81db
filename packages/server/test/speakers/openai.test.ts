// Tests of diarization with OpenAI's own clients: diarized_json, known speakers and events.
import assert from 'node:assert/strict';
import test from 'node:test';
import type OpenAI from 'openai-7';
import { joined, quiet, spoken } from '../../src/speech/testing/tones.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';
import { CLIENTS, connectTo } from '../openai/clients.ts';
import { ANNA, BEN, DIALOGUE, LAST } from './dialogue.ts';

const shared = sharedService();
const file = () => new File([new Uint8Array(wavOf(DIALOGUE))], 'talk.wav');
const dataUrl = (samples: Float32Array) => `data:audio/wav;base64,${wavOf(samples).toString('base64')}`;
const ANNA_CLIP = dataUrl(joined(spoken(ANNA), quiet(0.2)));
const BEN_CLIP = dataUrl(joined(spoken(BEN), quiet(0.2)));
const DIARIZED = { model: 'gpt-4o-transcribe-diarize', response_format: 'diarized_json' } as const;

for (const { name, Client } of CLIENTS) {
  const ask = (more: object = {}) =>
    connectTo(shared(), Client).audio.transcriptions.create({
      file: file(),
      ...DIARIZED,
      chunking_strategy: 'auto',
      ...more,
    } as never) as unknown as Promise<OpenAI.Audio.TranscriptionDiarized>;

  test(`${name}: diarized_json has segments by speaker`, async () => {
    const answer = await ask();
    assert.equal(answer.task, 'transcribe');
    assert.equal(answer.text, [...ANNA, ...BEN, ...LAST].join(' '));
    assert.deepEqual(
      answer.segments.map(({ speaker, text, type }) => [speaker, text, type]),
      [
        ['A', ANNA.join(' '), 'transcript.text.segment'],
        ['B', BEN.join(' '), 'transcript.text.segment'],
        ['A', LAST.join(' '), 'transcript.text.segment'],
      ],
    );
    assert.equal(new Set(answer.segments.map(({ id }) => id)).size, 3);
    assert.ok(answer.segments.every(({ start, end }) => end > start));
  });

  test(`${name}: known speakers have their names, in any order`, async () => {
    const both = { known_speaker_names: ['Ben', 'Anna'], known_speaker_references: [BEN_CLIP, ANNA_CLIP] };
    assert.deepEqual(
      (await ask(both)).segments.map(({ speaker }) => speaker),
      ['Anna', 'Ben', 'Anna'],
    );
    const one = { known_speaker_names: ['Ben'], known_speaker_references: [BEN_CLIP] };
    assert.deepEqual(
      (await ask(one)).segments.map(({ speaker }) => speaker),
      ['A', 'Ben', 'A'],
    );
  });

  test(`${name}: the stream ends with a segment for each turn, and the whole text`, async () => {
    const stream = (await ask({ stream: true })) as unknown as AsyncIterable<OpenAI.Audio.TranscriptionStreamEvent>;
    const events: OpenAI.Audio.TranscriptionStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const segments = events.filter((event) => event.type === 'transcript.text.segment');
    assert.deepEqual(
      segments.map(({ speaker }) => speaker),
      ['A', 'B', 'A'],
    );
    const text = events.flatMap((event) => (event.type === 'transcript.text.delta' ? [event.delta] : [])).join('');
    const last = events.at(-1);
    assert.equal(last?.type === 'transcript.text.done' && last.text, text);
  });
}

test('subtitles of the diarizing model name the speakers', async () => {
  const { Client } = CLIENTS[0]!;
  const options = { file: file(), model: 'gpt-4o-transcribe-diarize', response_format: 'vtt' };
  const vtt = (await connectTo(shared(), Client).audio.transcriptions.create(options as never)) as unknown as string;
  assert.match(vtt, /<v A>apple.*<v B>quarry.*<v A>apple/s);
});

test('references that cannot be used are refused with their field', async () => {
  const { url, key } = shared();
  const post = async (...fields: readonly (readonly [string, string])[]) => {
    const form = new FormData();
    form.set('model', DIARIZED.model);
    form.set('response_format', DIARIZED.response_format);
    for (const [name, value] of fields) form.append(name, value);
    form.set('file', file());
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    const { error } = (await response.json()) as { error: { param: string } };
    return [response.status, error.param];
  };
  const names = 'known_speaker_names[]';
  const references = 'known_speaker_references[]';
  const refused = [
    [[names, 'Anna']],
    [[references, ANNA_CLIP]],
    [
      [names, 'Anna'],
      [references, 'https://example.com/anna.wav'],
    ],
    [
      [names, 'Anna'],
      [references, 'data:audio/wav;base64,AAAA'],
    ],
    // Would take hours in quadratic time.
    [
      [names, 'Anna'],
      [references, `data:${'a'.repeat(1_000_000)}`],
    ],
    [
      [names, 'Anna'],
      [references, dataUrl(spoken(['apple']))],
    ],
    [
      [names, 'Anna'],
      [references, dataUrl(spoken(Array.from({ length: 40 }, () => 'apple')))],
    ],
    [
      [names, 'Anna'],
      [references, dataUrl(quiet(4))],
    ],
    [
      [names, 'Anna'],
      [names, 'Anna'],
      [references, ANNA_CLIP],
      [references, BEN_CLIP],
    ],
  ] as const;
  for (const fields of refused) {
    const [status, field] = await post(...fields);
    assert.equal(status, 400, JSON.stringify(fields).slice(0, 80));
    assert.match(String(field), /^known_speaker_/);
  }
});
