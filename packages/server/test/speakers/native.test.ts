// Tests of diarization on the native endpoints and in the command line: files, jobs and streams.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Faircopy, FaircopyError } from '@faircopy/client';
import { quiet, spoken } from '../../src/speech/testing/tones.ts';
import { runCliWith } from '../cli/run-cli.ts';
import { field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { failure, success } from '../http/service.ts';
import { type JobService, startJobService } from '../jobs/job-service.ts';
import { ANNA, BEN, DIALOGUE, LAST, VOICES } from './dialogue.ts';

let service: JobService;
const closers: (() => Promise<void>)[] = [];
before(async () => {
  service = await startJobService({ after: (close) => closers.push(close) });
});
after(async () => {
  for (const close of closers.reverse()) await close();
});

const CLIP = wavOf(DIALOGUE);
const PARAGRAPHS = [
  [0, ANNA.join(' ')],
  [1, BEN.join(' ')],
  [0, LAST.join(' ')],
];
const run = ({ url, key }: JobService, ...args: string[]) =>
  runCliWith({ env: { FAIRCOPY_URL: url, FAIRCOPY_API_KEY: key } }, ...args);
const speakers = field('speakers', 'true');

test('an answer with speakers has them in its details; without them, nothing changes', async () => {
  const include = field('include', 'words,segments');
  const plain = await success(await service.post(form(MODEL, include, file(CLIP))));
  const found = await success(await service.post(form(MODEL, include, speakers, file(CLIP))));
  assert.deepEqual(found.result, plain.result);
  assert.equal(plain.detail?.speakers, undefined);
  assert.deepEqual(
    found.detail?.words?.map((word) => word.speaker),
    VOICES,
  );
  assert.deepEqual(
    found.detail?.words?.map(({ speaker: _, speaker_confidence: sure, ...word }) => {
      assert.ok(sure !== undefined && sure >= 0.5 && sure <= 1);
      return word;
    }),
    plain.detail?.words,
  );
  assert.ok(found.detail?.segments?.every(({ speaker }) => typeof speaker === 'number'));
  assert.deepEqual(
    found.detail?.speakers?.map(({ speaker, name }) => [speaker, name]),
    [
      [0, null],
      [1, null],
    ],
  );
  assert.deepEqual(
    found.detail?.paragraphs?.map(({ speaker, text }) => [speaker, text]),
    PARAGRAPHS,
  );
});

test('the speaker count may be given, and enables speakers by itself', async () => {
  const one = await success(await service.post(form(MODEL, field('num_speakers', '1'), file(CLIP))));
  assert.equal(one.detail?.speakers?.length, 1);
  assert.equal(one.detail?.words, undefined);
  const most = await success(await service.post(form(MODEL, speakers, field('max_speakers', '1'), file(CLIP))));
  assert.equal(most.detail?.speakers?.length, 1);
});

test('invalid counts are refused with their field', async () => {
  const refused: [string, string][][] = [
    [['num_speakers', '0']],
    [['num_speakers', '1000']],
    [['num_speakers', 'two']],
    [['min_speakers', '-1']],
    [['max_speakers', '']],
    [['speakers', 'perhaps']],
    [
      ['min_speakers', '3'],
      ['max_speakers', '2'],
    ],
    [
      ['num_speakers', '2'],
      ['min_speakers', '3'],
    ],
    [
      ['num_speakers', '2'],
      ['speakers', 'false'],
    ],
  ];
  for (const fields of refused) {
    const sent = fields.map(([name, value]) => field(name, value));
    const response = await service.post(form(MODEL, ...sent, file(CLIP)));
    assert.equal(response.status, 400, JSON.stringify(fields));
    const { error } = await failure(response);
    assert.equal(error.code, 'INVALID_REQUEST');
    assert.match(error.message, new RegExp(`"${fields[0]![0]}"`));
  }
});

test('one voice, one word and silence have one speaker or none', async () => {
  for (const [samples, count] of [
    [spoken(['apple', 'apple', 'apple', 'apple']), 1],
    [spoken(['apple']), 1],
    [quiet(3), 0],
  ] as const) {
    const { detail } = await success(await service.post(form(MODEL, speakers, file(wavOf(samples)))));
    assert.equal(detail?.speakers?.length ?? 0, count);
    const client = new Faircopy({ baseUrl: service.url, apiKey: service.key, retries: 0 });
    const heard = new Set<number | undefined>();
    const live = client.live({
      speakers: true,
      onEvent: (event) => {
        if (event.type === 'final') for (const { speaker } of event.words) heard.add(speaker);
      },
    });
    await live.send(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)));
    await live.finish();
    assert.deepEqual([...heard], count === 0 ? [] : [0]);
  }
});

test('a job has the same answer', async () => {
  const id = await service.accepted(form(MODEL, speakers, file(CLIP)));
  const { answer } = await service.ended(id);
  assert.deepEqual(
    answer?.detail?.paragraphs?.map(({ speaker, text }) => [speaker, text]),
    PARAGRAPHS,
  );
  assert.equal(service.engine.speakers.owners.at(-1), `jobs of ${service.accountId}`);
});

test('a stream has speakers in its result, and refuses bad counts in the handshake', async () => {
  const client = new Faircopy({ baseUrl: service.url, apiKey: service.key, retries: 0 });
  const stream = client.stream({ model: 'svc-1.0-lite', include: ['words'], speakers: { max: 4 } });
  await stream.send(Int16Array.from(DIALOGUE, (sample) => Math.round(sample * 32_767)));
  const { detail } = await stream.finish();
  assert.deepEqual(
    detail?.words?.map((word) => word.speaker),
    VOICES,
  );
  for (const limits of [{ count: 0 }, { count: 1_000 }, { min: 3, max: 2 }])
    await assert.rejects(
      client.stream({ model: 'svc-1.0-lite', speakers: limits }).finish(),
      (thrown) => thrown instanceof FaircopyError && thrown.code === 'INVALID_REQUEST',
    );
});

test('the command names speakers in text and subtitles, and takes their count', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-speakers-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const recording = join(folder, 'talk.wav');
  await writeFile(recording, CLIP);
  const text = await run(service, 'transcribe', '--speakers', recording);
  assert.equal(
    text.stdout,
    `Speaker 1: ${ANNA.join(' ')}\n\nSpeaker 2: ${BEN.join(' ')}\n\nSpeaker 1: ${LAST.join(' ')}\n`,
  );
  const vtt = await run(service, 'transcribe', recording, '--speakers', '--format', 'vtt');
  assert.match(vtt.stdout, /<v Speaker 1>apple.*<v Speaker 2>quarry.*<v Speaker 1>apple/s);
  const srt = await run(service, 'transcribe', recording, '--speakers=2', '--format', 'srt');
  assert.equal(srt.stdout.match(/Speaker \d: /g)?.length, 3);
  const json = await run(service, 'transcribe', recording, '--speakers=1', '--json');
  assert.equal(JSON.parse(json.stdout).detail.speakers.length, 1);
  assert.equal((await run(service, 'transcribe', recording, '--speakers=0')).code, 64);
});
