// The FastConformer family of NeMo (Parakeet and others): TDT, RNN-T and CTC exports.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AcousticModelFamily } from '../acoustic/acoustic-model.ts';
import { withPointwiseProducts } from '../graph/pointwise-products.ts';
import { readExport } from '../graph/read-export.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { fastConformerModel } from './acoustic-model.ts';
import { loadFastConformerGraphs, PUBLISHED_ENCODER } from './graphs.ts';
import { readVocabulary } from './vocabulary.ts';

const exportConfig = z.object({
  subsampling_factor: z.int().min(1).max(64).default(8),
  max_tokens_per_step: z.int().min(1).max(100).default(10),
});

/** Some exports have no configuration. */
const readConfig = async (folder: string): Promise<z.infer<typeof exportConfig>> => {
  const text = await readFile(join(folder, 'config.json'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '{}';
    throw cause;
  });
  return exportConfig.parse(JSON.parse(text));
};

export const fastConformer: AcousticModelFamily = {
  async load({ id, folder, compiledFolder, threads, languages = ['en'] }) {
    const config = await readConfig(folder);
    const vocabulary = await readVocabulary(folder);
    const graphs = await loadFastConformerGraphs(folder, compiledFolder, threads);
    return fastConformerModel(
      { id, graphs, vocabulary, tokensPerFrameMax: config.max_tokens_per_step },
      { languages: new Set(languages), subsampling: config.subsampling_factor },
    );
  },
  /** Leaves quantisation to the exporter. Pointwise convolutions become matrix products with identical sums. */
  async compile(folder, write) {
    const files = new Set(await readdir(folder));
    const has = (name: string) => files.has(`${name}.onnx`) || files.has(`${name}.int8.onnx`);
    if (!has('encoder-model')) {
      if (files.has('model.onnx.data')) throw new UnknownGraph('a CTC export with external weights is not supported');
      await write('encoder', withPointwiseProducts(await readExport(folder, 'model')));
      return;
    }
    await write('decoder', await readExport(folder, 'decoder_joint-model'));
    const hasExternalWeights = files.has(`${PUBLISHED_ENCODER}.data`) && !files.has('encoder-model.int8.onnx');
    if (!hasExternalWeights) await write('encoder', withPointwiseProducts(await readExport(folder, 'encoder-model')));
  },
};
