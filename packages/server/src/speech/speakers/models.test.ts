import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { RecogniserUnavailable } from '../recogniser.ts';
import { readCatalogue } from '../store/catalogue.ts';
import { storedModels } from '../testing/stored-models.ts';
import { isNarrowBand } from './bandwidth.ts';
import { speakerEmbeddings } from './embeddings/embedding.ts';
import { PUBLISHED_FILES, SPEAKER_WEIGHTS } from './families.ts';
import { WINDOW_FRAMES, WINDOW_SAMPLES } from './frames.ts';
import { loadSpeakerModels, type SpeakerModels } from './speaker-features.ts';
import { SpeakerProcess } from './speaker-process.ts';

const stored = await storedModels([SPEAKER_WEIGHTS.embedding]);
const real = { skip: 'skip' in stored ? stored.skip : false };
/** Only the hub has the segmentation model, and a test machine may not reach it. */
const segmentation = await storedModels([SPEAKER_WEIGHTS.segmentation], { isRequired: false });
const segmented = { skip: 'skip' in stored ? stored.skip : 'skip' in segmentation ? segmentation.skip : false };
const folderOf = (weightsId: string): string => ('store' in stored ? stored.store.folderOf(weightsId) : '');

const WITHOUT_SEGMENTATION: SpeakerModels = {
  embedding: speakerEmbeddings(readCatalogue())[0]!,
  embeddingFolder: folderOf(SPEAKER_WEIGHTS.embedding),
};

/** A buzz with moving formants, which the models take for a voice of the given pitch. */
const voice = (seconds: number, pitchHz: number): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, n) => {
    const time = n / 16_000;
    const formant = 600 + 300 * Math.sin(2 * Math.PI * 1.7 * time);
    let sum = 0;
    for (let harmonic = 1; harmonic * pitchHz < 4_000; harmonic++) {
      sum += Math.sin(2 * Math.PI * pitchHz * harmonic * time) / (1 + Math.abs(harmonic * pitchHz - formant) / 200);
    }
    return 0.05 * sum * Math.max(0, Math.sin(2 * Math.PI * 0.9 * time));
  });

test('pooling outside the graph gives the embedding of the whole published model', real, async () => {
  const samples = voice(6, 140);
  const published = await readFile(join(folderOf(SPEAKER_WEIGHTS.embedding), PUBLISHED_FILES.embedding));
  const session = await InferenceSession.create(published, { logSeverityLevel: 3 });
  const whole = (await session.run({ waveform: new Tensor('float32', samples, [1, samples.length]) })).embeddings
    ?.data as Float32Array;
  const models = await loadSpeakerModels(WITHOUT_SEGMENTATION);
  const { embeddings } = await models.embed(samples, [Int32Array.of(0, 10_000), Int32Array.of(10_000, 10_001)]);
  const length = Math.hypot(...whole);
  embeddings[0]!.forEach((value, index) => {
    assert.ok(Math.abs(value - whole[index]! / length) < 1e-4);
  });
  assert.equal(embeddings[1], null);
  await models.close();
});

test('windows give the same result alone and in a batch, and silence has no speaker', segmented, async () => {
  const models = await loadSpeakerModels({
    ...WITHOUT_SEGMENTATION,
    segmentationFolder: folderOf(SPEAKER_WEIGHTS.segmentation),
  });
  const samples = new Float32Array(3 * WINDOW_SAMPLES);
  samples.set(voice(10, 120));
  const starts = [0, WINDOW_SAMPLES / 2, 2 * WINDOW_SAMPLES];
  const together = await models.segment(samples, starts);
  assert.deepEqual(
    together.map((bits) => bits.length),
    starts.map(() => WINDOW_FRAMES),
  );
  assert.ok(together[2]!.every((bits) => bits === 0));
  const [alone] = await models.segment(samples, [0]);
  const same = alone!.filter((bits, frame) => bits === together[0]![frame]).length;
  assert.ok(same >= WINDOW_FRAMES - 2);
  await models.close();
});

test('a stretch shorter than the minimum is repeated, and a silent one has embeddings too', real, async () => {
  const models = await loadSpeakerModels(WITHOUT_SEGMENTATION);
  for (const samples of [voice(0.2, 200), new Float32Array(16_000), new Float32Array(1)]) {
    const { embeddings, band } = await models.embed(samples, [Int32Array.of(0, 100)]);
    assert.equal(embeddings[0]?.length, 512);
    assert.ok(embeddings[0]!.every(Number.isFinite));
    assert.equal(typeof isNarrowBand(band), 'boolean');
  }
  await models.close();
});

test('the process answers like the models, recovers after a kill, and refuses calls once closed', real, async () => {
  const regions = [Int32Array.of(0, 100), Int32Array.of(20, 60)];
  const models = await loadSpeakerModels(WITHOUT_SEGMENTATION);
  const expected = await models.embed(voice(3, 150), regions);
  await models.close();
  const speakers = new SpeakerProcess({ models: WITHOUT_SEGMENTATION });
  const features = speakers.featuresFor('an account');
  assert.equal(speakers.status.pid, null);
  assert.deepEqual(await features.embed(voice(3, 150), regions), expected);
  process.kill(speakers.status.pid!, 'SIGKILL');
  assert.deepEqual(await features.embed(voice(3, 150), regions), expected);
  await speakers.close();
  await assert.rejects(features.embed(voice(1, 150), regions), RecogniserUnavailable);
});

test('owners take turns, cancelled work is dropped, and an unused process is ended', real, async (t) => {
  const speakers = new SpeakerProcess({ models: WITHOUT_SEGMENTATION, unloadAfterMs: 100 });
  t.after(() => speakers.close());
  const order: string[] = [];
  const regions = [Int32Array.of(0, 50)];
  const ask = (owner: string, signal?: AbortSignal) =>
    speakers
      .featuresFor(owner, signal)
      .embed(voice(1, 150), regions)
      .then(() => order.push(owner));
  const left = new AbortController();
  const unwanted = assert.rejects(ask('c', left.signal), /left/);
  const all = [ask('a'), ask('a'), ask('a'), ask('b')];
  left.abort(new Error('left'));
  await Promise.all([...all, unwanted]);
  assert.deepEqual(order, ['a', 'b', 'a', 'a']);
  while (speakers.status.pid !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  await ask('a');
  assert.notEqual(speakers.status.pid, null);
});
