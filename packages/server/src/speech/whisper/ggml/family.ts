// Compiles and loads English-only Whispers in ggml format, with the graphs of the Whisper family.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcousticModelFamily } from '../../acoustic/acoustic-model.ts';
import { makeLogMel } from '../../features/log-mel.ts';
import { whisperEnglishModel } from '../acoustic-model.ts';
import { buildWhisperDecoder } from '../graph/decoder-graph.ts';
import { compiledEncoder } from '../graph/outliers.ts';
import { loadWhisperGraphs } from '../graphs.ts';
import { GgmlFault, readGgml } from './ggml-file.ts';
import { loadGgmlTokenizer } from './ggml-tokenizer.ts';
import { ggmlDecoder, ggmlEncoder } from './ggml-weights.ts';

const modelFile = async (folder: string): Promise<string> => {
  const name = (await readdir(folder)).find((file) => file.endsWith('.bin'));
  if (!name) throw new GgmlFault('there is no .bin file');
  return join(folder, name);
};

export const whisperGgml: AcousticModelFamily = {
  async load({ id, folder, compiledFolder, threads }) {
    const tokenizer = await loadGgmlTokenizer(await modelFile(folder));
    const graphs = await loadWhisperGraphs(compiledFolder, tokenizer, threads);
    return whisperEnglishModel({ id, graphs, tokenizer, logMel: makeLogMel(tokenizer.melBins) });
  },
  async compile(folder, write) {
    const path = await modelFile(folder);
    const { alignmentHeads } = await loadGgmlTokenizer(path);
    const model = readGgml(await readFile(path));
    const decoder = ggmlDecoder(model);
    await write('encoder', await compiledEncoder(ggmlEncoder(model), decoder, model.shape.audioHeads));
    const alignmentLayers = new Set(alignmentHeads.map(([layer]) => layer));
    await write('decoder', buildWhisperDecoder(decoder, model.shape.textHeads, alignmentLayers));
  },
};
