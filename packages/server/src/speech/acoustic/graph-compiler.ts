// Prepared models: graphs derived from the original files, made once after a model is pulled.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prefersSignedBytes } from '../../platform/processor.ts';
import { type OnnxModel, readModel, writeModel } from '../graph/onnx.ts';
import { withSignedProducts } from '../graph/signed.ts';
import { WeightFinder } from '../graph/weights.ts';
import { alignmentHeads } from '../moonshine/alignment.ts';
import { buildMoonshineDecoder } from '../moonshine/decoder-graph.ts';
import { buildMoonshineEncoder } from '../moonshine/encoder-graph.ts';
import { buildWhisperDecoder } from '../whisper/decoder-graph.ts';
import { buildWhisperEncoder } from '../whisper/encoder-graph.ts';

/** Changes whenever preparation writes something else, so that old results are made anew. */
const VERSION = 2;
const IS_SIGNED = prefersSignedBytes();

/** Which preparation this machine uses: processors of different kinds may share a store. */
export const COMPILED_KIND = IS_SIGNED ? `${VERSION}-signed` : `${VERSION}`;

export const COMPILED_FILES = { encoder: 'encoder.onnx', decoder: 'decoder.onnx' } as const;

/** Where a model's prepared files stand: beside the originals in its folder. */
export const compiledFolder = (modelFolder: string): string => join(modelFolder, `prepared-${COMPILED_KIND}`);

/** Reads the checked original files of `sourceFolder`, writes the derived graphs into `targetFolder`. Deterministic. */
export const compileModel = async (modelId: string, sourceFolder: string, targetFolder: string): Promise<void> => {
  await mkdir(targetFolder, { recursive: true });
  if (modelId.startsWith('whisper-')) await prepareWhisper(sourceFolder, targetFolder);
  else if (modelId.startsWith('moonshine-')) await prepareMoonshine(sourceFolder, targetFolder);
};

const write = (path: string, model: OnnxModel): Promise<void> =>
  writeFile(path, writeModel(IS_SIGNED ? withSignedProducts(model) : model));

const MOONSHINE_HEADS = 8;

const prepareMoonshine = async (sourceFolder: string, targetFolder: string): Promise<void> => {
  const encoder = readModel(await readFile(join(sourceFolder, 'encoder_model.onnx')));
  const decoder = readModel(await readFile(join(sourceFolder, 'decoder_model_merged.onnx')));
  const firstStep = new WeightFinder(decoder, 'else_branch');
  const audio = buildMoonshineEncoder(new WeightFinder(encoder), firstStep, MOONSHINE_HEADS);
  await write(join(targetFolder, COMPILED_FILES.encoder), audio);
  const layers = firstStep.layers('/model/decoder/layers', 'mlp/up_proj/MatMul_quant');
  const alignmentLayers = new Set(alignmentHeads(layers).map(([layer]) => layer));
  const text = buildMoonshineDecoder(firstStep, MOONSHINE_HEADS, alignmentLayers);
  await write(join(targetFolder, COMPILED_FILES.decoder), text);
};

const prepareWhisper = async (sourceFolder: string, targetFolder: string): Promise<void> => {
  const config = JSON.parse(await readFile(join(sourceFolder, 'config.json'), 'utf8')) as {
    encoder_attention_heads: number;
    decoder_attention_heads: number;
  };
  const generation = JSON.parse(await readFile(join(sourceFolder, 'generation_config.json'), 'utf8')) as {
    alignment_heads?: [number, number][];
  };
  const encoder = readModel(await readFile(join(sourceFolder, 'encoder_model_quantized.onnx')));
  const decoder = readModel(await readFile(join(sourceFolder, 'decoder_model_merged_quantized.onnx')));
  const firstStep = new WeightFinder(decoder, 'else_branch');
  const audio = buildWhisperEncoder(new WeightFinder(encoder), firstStep, config.encoder_attention_heads);
  await write(join(targetFolder, COMPILED_FILES.encoder), audio);
  const alignmentLayers = new Set((generation.alignment_heads ?? []).map(([layer]) => layer));
  const text = buildWhisperDecoder(firstStep, config.decoder_attention_heads, alignmentLayers);
  await write(join(targetFolder, COMPILED_FILES.decoder), text);
};
