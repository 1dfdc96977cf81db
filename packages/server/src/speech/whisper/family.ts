// The Whisper family: how its models are compiled and loaded.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcousticModelFamily } from '../acoustic/acoustic-model.ts';
import { makeLogMel } from '../features/log-mel.ts';
import { readExport } from '../graph/read-export.ts';
import { WeightFinder } from '../graph/weights.ts';
import { whisperModel } from './acoustic-model.ts';
import { buildWhisperDecoder } from './graph/decoder-graph.ts';
import { compiledEncoder } from './graph/outliers.ts';
import { loadWhisperGraphs } from './graphs.ts';
import { loadTokenizer } from './tokenizer.ts';

export const whisper: AcousticModelFamily = {
  async load({ id, folder, compiledFolder, threads }) {
    const tokenizer = await loadTokenizer(folder);
    const graphs = await loadWhisperGraphs(compiledFolder, tokenizer, threads);
    return whisperModel({ id, graphs, tokenizer, logMel: makeLogMel(tokenizer.melBins) });
  },
  async compile(folder, write) {
    const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as {
      encoder_attention_heads: number;
      decoder_attention_heads: number;
    };
    const generation = JSON.parse(await readFile(join(folder, 'generation_config.json'), 'utf8')) as {
      alignment_heads?: [number, number][];
    };
    const encoder = await readExport(folder, 'encoder_model');
    const decoder = await readExport(folder, 'decoder_model_merged');
    const firstStep = new WeightFinder(decoder, 'else_branch');
    await write('encoder', await compiledEncoder(new WeightFinder(encoder), firstStep, config.encoder_attention_heads));
    const alignmentLayers = new Set((generation.alignment_heads ?? []).map(([layer]) => layer));
    await write('decoder', buildWhisperDecoder(firstStep, config.decoder_attention_heads, alignmentLayers));
  },
};
