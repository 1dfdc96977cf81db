// Writes a ggml Whisper of any shape with generated weights, for tests.
import type { GgmlShape } from '../ggml-file.ts';

const MAGIC = 0x67676d6c;
const FILTER_BINS = 201;
/** Period of the weights, which divides no row: random enough not to vanish, and fast to generate. */
const PERIOD = 4093;
/** Size of the chunks in which weights are written. */
const PIECE_BYTES = 2 ** 24;

/** Single bytes, then pairs of them, then unusual names. */
const tokensOfText = (): Buffer[] => {
  const single = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
  const joined = [' a', 'he', 'll', 'hell', 'hello', ' -', " '"].map((text) => Buffer.from(text));
  const rest = Array.from({ length: 50_257 - 256 - joined.length }, (_, nth) => Buffer.from(`\0${nth}`));
  return [...single, ...joined, ...rest];
};

const integers = (...values: number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

/** For numbers between 2^-14 and 2^15. */
const halfBits = (x: number): number => {
  const exponent = Math.floor(Math.log2(x));
  return ((exponent + 15) << 10) | Math.floor((x / 2 ** exponent - 1) * 1024);
};
const bitsOf = (x: number): number => (x === 0 ? 0 : (x < 0 ? 0x8000 : 0) | halfBits(Math.abs(x)));

/** Writes a file in chunks. */
export const writeGgml = (shape: GgmlShape, write: (bytes: Uint8Array) => void): void => {
  const { vocabulary, audioPositions, audioHeads, audioLayers, textPositions, textHeads, textLayers, melBins } = shape;
  const width = shape.textWidth;
  let seed = 0;
  const add = (name: string, dims: readonly number[], value?: number): void => {
    const isHalf = dims.length > 1 && !name.includes('positional') && !name.endsWith('bias');
    const size = 1 / Math.sqrt(dims.at(-1)!);
    const start = ++seed;
    const period = Array.from({ length: PERIOD }, (_, nth) => value ?? (Math.sin(nth * 12.9898 + start) * size || 0.1));
    const bytes = isHalf
      ? Buffer.from(Uint16Array.from(period, bitsOf).buffer)
      : Buffer.from(Float32Array.from(period).buffer);
    const label = Buffer.from(name);
    write(integers(dims.length, label.length, isHalf ? 1 : 0, ...dims.toReversed()));
    write(label);
    let left = dims.reduce((product, length) => product * length, isHalf ? 2 : 4);
    const piece = Buffer.concat(
      Array.from({ length: Math.ceil(Math.min(left, PIECE_BYTES) / bytes.length) }, () => bytes),
    );
    for (; left > 0; left -= piece.length) write(piece.subarray(0, left));
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
  write(integers(MAGIC, vocabulary, audioPositions, width, ...sizes, 1, melBins, FILTER_BINS));
  write(Buffer.alloc(4 * melBins * FILTER_BINS));
  const tokens = tokensOfText();
  write(Buffer.concat([integers(tokens.length), ...tokens.flatMap((bytes) => [integers(bytes.length), bytes])]));
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
};

/** The smallest model, as bytes. */
export const tinyGgml = (shape: Partial<GgmlShape> = {}): Buffer => {
  const pieces: Uint8Array[] = [];
  const sizes = { vocabulary: 51_864, audioPositions: 1500, textPositions: 448, textWidth: 16, melBins: 80 };
  const counts = { audioHeads: 2, audioLayers: 1, textHeads: 2, textLayers: 1 };
  writeGgml({ ...sizes, ...counts, ...shape }, (bytes) => pieces.push(bytes));
  return Buffer.concat(pieces);
};
