import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeModel } from '../../graph/onnx.ts';
import { readCatalogue } from '../../store/catalogue.ts';
import { PUBLISHED_FILES } from '../families.ts';
import { LocalSpeakers } from '../local-speakers.ts';
import { madeFbankModel } from '../testing/made-graphs.ts';
import { speakerEmbeddings } from './embedding.ts';
import { loadFbankModel } from './fbank-model.ts';

/** Seeded pseudo-random numbers from −1 to 1. */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};

const HUB_MODELS = speakerEmbeddings(readCatalogue()).flatMap((embedding) =>
  embedding.fbank ? [{ ...embedding, fbank: embedding.fbank }] : [],
);

/** A low and a high swelling hum in noise: two seconds of each, twice. */
const dialogue = (): Float32Array => {
  const next = numbersFrom(1);
  return Float32Array.from({ length: 8 * 16_000 }, (_, n) => {
    const hz = Math.floor(n / 32_000) % 2 === 0 ? 300 : 2_500;
    const swell = 1 + Math.sin((2 * Math.PI * 3 * n) / 16_000);
    return 0.2 * swell * Math.sin((2 * Math.PI * hz * n) / 16_000) + 0.02 * next();
  });
};

/** A region in frames of the grid, about 59 per second. */
const seconds = (from: number, to: number): Int32Array => Int32Array.of(Math.round(59.3 * from), Math.round(59.3 * to));

const folderWith = async (t: TestContext, input: string, output: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-fbank-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, PUBLISHED_FILES.fbankEmbedding), writeModel(madeFbankModel(input, output)));
  return folder;
};

test('the catalogue has filter bank models, whose thresholds are not marked as measured', () => {
  assert.deepEqual(
    HUB_MODELS.map(({ id, isMeasured, fbank }) => [id, isMeasured, fbank.input, fbank.output]),
    [
      ['wespeaker-resnet34-LM', false, 'feats', 'embs'],
      ['campplus-voxceleb', false, 'x', 'embedding'],
    ],
  );
});

test('filter bank models run in the speaker process with the input and output names of their exports', async (t) => {
  for (const embedding of HUB_MODELS) {
    const folder = await folderWith(t, embedding.fbank.input, embedding.fbank.output);
    const asked: string[] = [];
    const store = {
      ensure: async (ids: readonly string[]) => {
        asked.push(...ids);
        if (ids.includes('speaker-segmentation')) throw new Error('not here');
      },
      folderOf: () => folder,
    };
    const speakers = new LocalSpeakers({ store, embedding, unloadAfterMs: null });
    t.after(() => speakers.close());
    const features = await speakers.open('an account');
    assert.deepEqual(asked, [embedding.id, 'speaker-segmentation']);
    assert.equal(features.embedding.id, embedding.id);
    const regions = [seconds(0.1, 1.9), seconds(2.1, 3.9), seconds(4.1, 5.9), seconds(6.1, 6.3), seconds(900, 901)];
    const { embeddings } = await features.embed(dialogue(), regions);
    const [low, high, lowAgain, brief, none] = embeddings;
    for (const each of [low, high, lowAgain, brief]) assert.ok(Math.abs(Math.hypot(...each!) - 1) < 1e-5);
    assert.equal(none, null);
    const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
    assert.ok(cosine(low!, lowAgain!) > cosine(low!, high!));
  }
});

test('a graph with other names is refused', async (t) => {
  const [embedding] = HUB_MODELS;
  const folder = await folderWith(t, 'audio', 'embs');
  await assert.rejects(loadFbankModel(folder, embedding!.fbank), /does not have the input "feats"/);
});
