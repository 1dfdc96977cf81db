// The Moonshine family: how its models are compiled and loaded.
import type { AcousticModelFamily } from '../acoustic/acoustic-model.ts';
import { readExport } from '../graph/read-export.ts';
import { WeightFinder } from '../graph/weights.ts';
import { moonshineModel } from './acoustic-model.ts';
import { alignmentHeads } from './alignment.ts';
import { buildMoonshineDecoder } from './decoder-graph.ts';
import { buildMoonshineEncoder } from './encoder-graph.ts';
import { ATTENTION_HEADS, loadMoonshineGraphs } from './graphs.ts';

export const moonshine: AcousticModelFamily = {
  load: async ({ id, compiledFolder, threads }) =>
    moonshineModel(id, await loadMoonshineGraphs(compiledFolder, threads)),
  async compile(folder, write) {
    const encoder = await readExport(folder, 'encoder_model');
    const decoder = await readExport(folder, 'decoder_model_merged');
    const firstStep = new WeightFinder(decoder, 'else_branch');
    await write('encoder', buildMoonshineEncoder(new WeightFinder(encoder), firstStep, ATTENTION_HEADS));
    const layers = firstStep.layers('/model/decoder/layers', 'mlp/up_proj');
    const alignmentLayers = new Set(alignmentHeads(layers).heads.map(([layer]) => layer));
    await write('decoder', buildMoonshineDecoder(firstStep, ATTENTION_HEADS, alignmentLayers));
  },
};
