// Reads a Whisper in the ggml format of whisper.cpp: sizes, vocabulary and weights in one file.
import { DATA_TYPE, type OnnxTensor } from '../../graph/onnx.ts';

/** The file is truncated, damaged, or not a supported ggml Whisper. */
export class GgmlFault extends Error {
  override readonly name = 'GgmlFault';

  constructor(what: string) {
    super(`Not a supported ggml Whisper: ${what}.`);
  }
}

export interface GgmlShape {
  readonly vocabulary: number;
  readonly audioPositions: number;
  readonly audioHeads: number;
  readonly audioLayers: number;
  readonly textPositions: number;
  readonly textWidth: number;
  readonly textHeads: number;
  readonly textLayers: number;
  readonly melBins: number;
}

interface GgmlHead {
  readonly shape: GgmlShape;
  /** The bytes of each text token; the special tokens that follow are not listed. */
  readonly tokens: readonly Uint8Array[];
}

export interface GgmlModel extends GgmlHead {
  /** By their names in the original model. The first dimension changes slowest. */
  readonly tensors: ReadonlyMap<string, OnnxTensor>;
}

const MAGIC = 0x67676d6c;
const SHAPE_NUMBERS = 11;
const DIMENSIONS_MAX = 4;
/** Supported weight types: single and half precision. */
const TYPES = [
  { dataType: DATA_TYPE.float, bytes: 4 },
  { dataType: DATA_TYPE.half, bytes: 2 },
] as const;

class Cursor {
  #at = 0;
  readonly #source: Uint8Array;
  readonly #view: DataView;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.#view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#source.length;
  }

  integer(): number {
    const at = this.#at;
    this.take(4);
    return this.#view.getInt32(at, true);
  }

  take(length: number): Uint8Array {
    if (length < 0 || this.#at + length > this.#source.length) throw new GgmlFault('the file ends too early');
    this.#at += length;
    return this.#source.subarray(this.#at - length, this.#at);
  }
}

const readHead = (cursor: Cursor): GgmlHead => {
  if (cursor.integer() !== MAGIC) throw new GgmlFault('it does not begin with the ggml magic number');
  const numbers = Array.from({ length: SHAPE_NUMBERS }, () => cursor.integer());
  const [vocabulary, audioPositions, , audioHeads, audioLayers] = numbers as [number, number, number, number, number];
  const [textPositions, textWidth, textHeads, textLayers, melBins] = numbers.slice(5) as [
    number,
    number,
    number,
    number,
    number,
  ];
  // Skip the mel filters: they are computed instead.
  const filters = cursor.integer() * cursor.integer();
  cursor.take(4 * filters);
  const count = cursor.integer();
  if (count < 0 || count > vocabulary) throw new GgmlFault('it has more tokens than its vocabulary');
  const tokens = Array.from({ length: count }, () => cursor.take(cursor.integer()));
  const shape = { vocabulary, audioPositions, audioHeads, audioLayers };
  return { shape: { ...shape, textPositions, textWidth, textHeads, textLayers, melBins }, tokens };
};

const readTensor = (cursor: Cursor): OnnxTensor => {
  const [dimensions, nameBytes, kind] = [cursor.integer(), cursor.integer(), cursor.integer()];
  const type = TYPES[kind];
  if (dimensions < 1 || dimensions > DIMENSIONS_MAX) throw new GgmlFault('a weight has no shape');
  if (!type) throw new GgmlFault('the type of its weights is not supported');
  // In ggml, the first dimension changes fastest.
  const dims = Array.from({ length: dimensions }, () => cursor.integer()).reverse();
  const name = Buffer.from(cursor.take(nameBytes)).toString('utf8');
  const data = cursor.take(type.bytes * dims.reduce((product, length) => product * length, 1));
  return { name, dims, dataType: type.dataType, data };
};

/** Sizes and vocabulary, from the start of the file. */
export const readGgmlHead = (source: Uint8Array): GgmlHead => readHead(new Cursor(source));

export const readGgml = (source: Uint8Array): GgmlModel => {
  const cursor = new Cursor(source);
  const head = readHead(cursor);
  const tensors = new Map<string, OnnxTensor>();
  while (!cursor.atEnd) {
    const tensor = readTensor(cursor);
    tensors.set(tensor.name, tensor);
  }
  return { ...head, tensors };
};
