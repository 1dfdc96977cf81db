// Tests of diarization on Deepgram's endpoints: files with its own client, and live.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DeepgramClient } from 'deepgram-5';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { Listening } from '../deepgram/listening.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';
import { ANNA, BEN, DIALOGUE, LAST, VOICES } from './dialogue.ts';

const shared = sharedService();
type Client = InstanceType<typeof DeepgramClient>;
type Answer = Extract<Awaited<ReturnType<Client['listen']['v1']['media']['transcribeFile']>>, { results: object }>;

const client = (): Client => {
  const { url, key } = shared();
  const environment = { base: url, production: url.replace('http', 'ws'), agent: '', agentRest: '' };
  return new DeepgramClient({ apiKey: key, environment } as never);
};

test('the SDK finds speakers on words, utterances and paragraphs', async () => {
  const options = { model: 'nova-3', diarize: true, utterances: true, paragraphs: true } as const;
  const answer = (await client().listen.v1.media.transcribeFile(wavOf(DIALOGUE), options)) as Answer;
  const [alternative] = answer.results.channels[0]?.alternatives ?? [];
  assert.deepEqual(
    alternative?.words?.map((word) => word.speaker),
    VOICES,
  );
  assert.ok(alternative?.words?.every(({ speaker_confidence: sure = 0 }) => sure >= 0.5 && sure <= 1));
  const texts = [ANNA, BEN, LAST].map((words) => words.join(' '));
  assert.deepEqual(
    answer.results.utterances?.map(({ speaker, transcript }) => [speaker, transcript]),
    texts.map((text, index) => [index % 2, text]),
  );
  assert.deepEqual(
    alternative?.paragraphs?.paragraphs?.map(({ speaker, sentences }) => [speaker, sentences?.[0]?.text]),
    texts.map((text, index) => [index % 2, text]),
  );
  assert.match(
    alternative?.paragraphs?.transcript ?? '',
    /^\nSpeaker 0: apple .*\n\nSpeaker 1: quarry .*\n\nSpeaker 0:/,
  );
  assert.ok(answer.metadata.diarize_info);
});

test('naming a diarizer also enables it, the default is off, and bad counts are refused', async () => {
  const { url, key } = shared();
  const post = (query: string) =>
    fetch(`${url}/v1/listen?model=nova-3&${query}`, {
      method: 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'audio/wav' },
      body: wavOf(DIALOGUE),
    });
  const speakersIn = async (response: Response): Promise<Set<number | undefined>> => {
    const { results } = (await response.json()) as Answer;
    return new Set(results.channels[0]?.alternatives?.[0]?.words?.map(({ speaker }) => speaker));
  };
  assert.deepEqual(await speakersIn(await post('diarize_model=latest')), new Set([0, 1]));
  assert.deepEqual(await speakersIn(await post('diarize=true&diarize_version=2021-07-14.0')), new Set([0, 1]));
  assert.deepEqual(await speakersIn(await post('diarize=true&num_speakers=1')), new Set([0]));
  assert.deepEqual(await speakersIn(await post('diarize=false')), new Set([undefined]));
  for (const query of ['diarize=perhaps', 'num_speakers=0', 'diarize=true&min_speakers=3&max_speakers=2'])
    assert.equal((await post(query)).status, 400, query);
});

test('live: words of finals have their speaker, words of interims do not', async () => {
  const query =
    'model=nova-3&encoding=linear16&sample_rate=16000&diarize=true&interim_results=true&speaker_changes=true';
  const listening = await new Listening(shared(), query).opened();
  await listening.send(pcm16Bytes(DIALOGUE));
  listening.control({ type: 'CloseStream' });
  await listening.closed;
  const words = listening.finals.flatMap(({ channel }) => channel.alternatives[0]?.words ?? []) as {
    readonly speaker?: number;
  }[];
  assert.deepEqual(
    words.map(({ speaker }) => speaker),
    VOICES,
  );
  assert.ok(words.every((word) => !('speaker_confidence' in word)));
  const interims = listening.results.filter(({ is_final }) => !is_final);
  assert.ok(interims.every(({ channel }) => channel.alternatives[0]?.words.every((word) => !('speaker' in word))));
});
