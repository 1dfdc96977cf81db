// A Whisper in ggml form of the smallest size, with made-up weights: every part is there, and nothing it says means anything.

const MELS = 80;
const WIDTH = 16;
const AUDIO_POSITIONS = 1500;
const TEXT_POSITIONS = 448;
const VOCABULARY = 51_864;
/** Single bytes, then pairs of them, then names that nobody types. */
const tokensOfText = (): Buffer[] => {
  const single = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
  const joined = [' a', 'he', 'll', 'hell', 'hello', ' -', " '"].map((text) => Buffer.from(text));
  const rest = Array.from({ length: 50_257 - 256 - joined.length }, (_, nth) => Buffer.from(`\0${nth}`));
  return [...single, ...joined, ...rest];
};

const integers = (...values: number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

const tensor = (name: string, dims: readonly number[], isHalf: boolean, value: (nth: number) => number): Buffer => {
  const count = dims.reduce((product, length) => product * length, 1);
  const bits = (x: number) => (x === 0 ? 0 : (x < 0 ? 0x8000 : 0) | halfBits(Math.abs(x)));
  const data = isHalf
    ? Buffer.from(Uint16Array.from({ length: count }, (_, nth) => bits(value(nth))).buffer)
    : Buffer.from(Float32Array.from({ length: count }, (_, nth) => value(nth)).buffer);
  const label = Buffer.from(name);
  return Buffer.concat([integers(dims.length, label.length, isHalf ? 1 : 0, ...dims.toReversed()), label, data]);
};

/** Of a number between 2^-14 and 2^15. */
const halfBits = (x: number): number => {
  const exponent = Math.floor(Math.log2(x));
  return ((exponent + 15) << 10) | Math.floor((x / 2 ** exponent - 1) * 1024);
};

const small = (seed: number) => (nth: number) => Math.sin(nth * 12.9898 + seed) / 4 || 0.1;
const one = () => 1;
const none = () => 0;

export const tinyGgml = (vocabulary = VOCABULARY): Buffer => {
  const pieces: Buffer[] = [];
  const add = (name: string, dims: readonly number[], value = small(pieces.length)) =>
    pieces.push(tensor(name, dims, dims.length > 1 && !name.includes('positional') && !name.endsWith('bias'), value));
  const norm = (name: string) => {
    add(`${name}.weight`, [WIDTH], one);
    add(`${name}.bias`, [WIDTH], none);
  };
  const product = (name: string, outputs: number, inputs: number, hasBias = true) => {
    add(`${name}.weight`, [outputs, inputs]);
    if (hasBias) add(`${name}.bias`, [outputs], none);
  };
  const attention = (name: string) => {
    for (const part of ['query', 'key', 'value', 'out']) product(`${name}.${part}`, WIDTH, WIDTH, part !== 'key');
  };
  const layer = (name: string, isDecoder: boolean) => {
    norm(`${name}.attn_ln`);
    attention(`${name}.attn`);
    if (isDecoder) {
      norm(`${name}.cross_attn_ln`);
      attention(`${name}.cross_attn`);
    }
    norm(`${name}.mlp_ln`);
    product(`${name}.mlp.0`, 4 * WIDTH, WIDTH);
    product(`${name}.mlp.2`, WIDTH, 4 * WIDTH);
  };
  add('encoder.positional_embedding', [AUDIO_POSITIONS, WIDTH]);
  add('encoder.conv1.weight', [WIDTH, MELS, 3]);
  add('encoder.conv1.bias', [WIDTH, 1], none);
  add('encoder.conv2.weight', [WIDTH, WIDTH, 3]);
  add('encoder.conv2.bias', [WIDTH, 1], none);
  layer('encoder.blocks.0', false);
  norm('encoder.ln_post');
  add('decoder.positional_embedding', [TEXT_POSITIONS, WIDTH]);
  add('decoder.token_embedding.weight', [vocabulary, WIDTH]);
  layer('decoder.blocks.0', true);
  norm('decoder.ln');
  const tokens = tokensOfText();
  return Buffer.concat([
    integers(0x67676d6c, vocabulary, AUDIO_POSITIONS, WIDTH, 2, 1, TEXT_POSITIONS, WIDTH, 2, 1, MELS, 1),
    integers(MELS, 201),
    Buffer.alloc(4 * MELS * 201),
    integers(tokens.length),
    ...tokens.flatMap((bytes) => [integers(bytes.length), bytes]),
    ...pieces,
  ]);
};
