// Writes a ggml Whisper of any shape with generated weights, for tests.
import { halfBits } from '../../testing/half-bits.ts';
import type { GgmlShape } from '../ggml-file.ts';

const MAGIC = 0x67676d6c;
const FILTER_BINS = 201;
/** Period of the weights, which does not divide any row: random enough not to vanish, and fast to generate. */
const PERIOD = 4093;

/** Single bytes, then pairs of them, then unusual names. */
const tokensOfText = (): Buffer[] => {
  const single = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
  const joined = [' a', 'he', 'll', 'hell', 'hello', ' -', " '"].map((text) => Buffer.from(text));
  const rest = Array.from({ length: 50_257 - 256 - joined.length }, (_, nth) => Buffer.from(`\0${nth}`));
  return [...single, ...joined, ...rest];
};

const integers = (...values: number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

/** By default the smallest model. */
export const tinyGgml = (shape: Partial<GgmlShape> = {}): Buffer => {
  const { vocabulary = 51_864, audioPositions = 1500, textPositions = 448, melBins = 80 } = shape;
  const { textWidth: width = 16, audioHeads = 2, audioLayers = 1, textHeads = 2, textLayers = 1 } = shape;
  const pieces: Uint8Array[] = [];
  let seed = 0;
  const add = (name: string, dims: readonly number[], value?: number): void => {
    const isHalf = dims.length > 1 && !name.includes('positional') && !name.endsWith('bias');
    const size = 1 / Math.sqrt(dims.at(-1)!);
    const start = ++seed;
    const period = Array.from({ length: PERIOD }, (_, nth) => value ?? (Math.sin(nth * 12.9898 + start) * size || 0.1));
    const values = isHalf ? Uint16Array.from(period, halfBits) : Float32Array.from(period);
    const length = dims.reduce((product, dim) => product * dim, values.BYTES_PER_ELEMENT);
    const label = Buffer.from(name);
    pieces.push(integers(dims.length, label.length, isHalf ? 1 : 0, ...dims.toReversed()), label);
    pieces.push(Buffer.alloc(length, Buffer.from(values.buffer)));
  };
  const norm = (name: string) => {
    add(`${name}.weight`, [width], 1);
    add(`${name}.bias`, [width], 0);
  };
  const product = (name: string, outputs: number, inputs: number, hasBias = true) => {
    add(`${name}.weight`, [outputs, inputs]);
    if (hasBias) add(`${name}.bias`, [outputs], 0);
  };
  const attention = (name: string) => {
    for (const part of ['query', 'key', 'value', 'out']) product(`${name}.${part}`, width, width, part !== 'key');
  };
  const layer = (name: string, isDecoder: boolean) => {
    norm(`${name}.attn_ln`);
    attention(`${name}.attn`);
    if (isDecoder) {
      norm(`${name}.cross_attn_ln`);
      attention(`${name}.cross_attn`);
    }
    norm(`${name}.mlp_ln`);
    product(`${name}.mlp.0`, 4 * width, width);
    product(`${name}.mlp.2`, width, 4 * width);
  };
  const sizes = [audioHeads, audioLayers, textPositions, width, textHeads, textLayers, melBins];
  pieces.push(integers(MAGIC, vocabulary, audioPositions, width, ...sizes, 1, melBins, FILTER_BINS));
  pieces.push(Buffer.alloc(4 * melBins * FILTER_BINS));
  const tokens = tokensOfText();
  pieces.push(integers(tokens.length), ...tokens.flatMap((bytes) => [integers(bytes.length), bytes]));
  add('encoder.positional_embedding', [audioPositions, width]);
  add('encoder.conv1.weight', [width, melBins, 3]);
  add('encoder.conv1.bias', [width, 1], 0);
  add('encoder.conv2.weight', [width, width, 3]);
  add('encoder.conv2.bias', [width, 1], 0);
  for (let nth = 0; nth < audioLayers; nth++) layer(`encoder.blocks.${nth}`, false);
  norm('encoder.ln_post');
  add('decoder.positional_embedding', [textPositions, width]);
  add('decoder.token_embedding.weight', [vocabulary, width]);
  for (let nth = 0; nth < textLayers; nth++) layer(`decoder.blocks.${nth}`, true);
  norm('decoder.ln');
  return Buffer.concat(pieces);
};
