import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRoomSettings } from '../../../config/parse.ts';
import { writeChosenModels } from '../../cascade/chosen-models.ts';
import { LocalSpeechEngine } from '../../engine.ts';
import { writeModel } from '../../graph/onnx.ts';
import { speechSettings } from '../../settings.ts';
import { readCatalogue } from '../../store/catalogue.ts';
import type { ModelStore } from '../../store/store.ts';
import { ScriptedEngine } from '../../testing/scripted-engine.ts';
import { PUBLISHED_FILES } from '../families.ts';
import { madeFbankModel } from '../testing/made-graphs.ts';

test('if workers recognise, the gateway runs the chosen speaker model, unloads it and loads it again', async (t) => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'faircopy-speakers-'));
  t.after(() => rm(modelsDir, { recursive: true, force: true }));
  await writeFile(join(modelsDir, PUBLISHED_FILES.fbankEmbedding), writeModel(madeFbankModel('feats', 'embs')));
  await writeChosenModels(modelsDir, { speakers: 'wespeaker-resnet34-LM' });
  const settings = parseRoomSettings(speechSettings, { FAIRCOPY_RECOGNISERS: 'none', FAIRCOPY_MODELS_DIR: modelsDir });
  const store = {
    catalogue: readCatalogue(),
    ensure: async ([id]: readonly string[]) => {
      if (id !== 'wespeaker-resnet34-LM') throw new Error('not here');
    },
    folderOf: () => modelsDir,
  } as unknown as ModelStore;
  const engine = new LocalSpeechEngine({
    config: { ...settings, unloadAfterMs: 50 },
    store,
    workers: new ScriptedEngine({ slots: 1 }).recogniser,
  });
  t.after(() => engine.close());
  const pid = async () => (await engine.speakers.status())?.pid ?? null;
  const unloaded = async () => {
    while ((await pid()) !== null) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  assert.equal(await engine.speakers.status(), null, 'nothing is loaded before the first request');
  const features = await engine.speakers.open('an account');
  const audio = Float32Array.from({ length: 16_000 }, (_, n) => Math.sin(n * n * 0.37) / 4);
  const embed = async () => (await features.embed(audio, [Int32Array.of(0, 50)])).embeddings;
  const before = await embed();
  assert.equal(before[0]?.length, 6);
  await unloaded();
  assert.deepEqual(await embed(), before);
  await unloaded();
});
