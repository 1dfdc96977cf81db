// Reads and writes Protobuf's wire format: messages as lists of fields, without copying payloads.

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

export interface WireField {
  readonly number: number;
  readonly type: number;
  /** For varint fields; exact up to 2^53, negative numbers (64-bit two's complement) included. */
  readonly value: number;
  /** For all other fields. */
  readonly bytes: Uint8Array;
}

/** The file is truncated, damaged, or not a model. */
export class OnnxFault extends Error {
  override readonly name = 'OnnxFault';
}

const NO_BYTES = new Uint8Array(0);

export class WireReader {
  private position = 0;
  private readonly source: Uint8Array;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  get atEnd(): boolean {
    return this.position >= this.source.length;
  }

  varint(): number {
    const first = this.byte();
    // Most varints are one byte: avoid BigInt for them.
    if (first < 0x80) return first;
    let value = BigInt(first & 0x7f);
    for (let shift = 7n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new OnnxFault('Not a protobuf message: a varint of more than ten bytes.');
  }

  field(): WireField {
    const tag = this.varint();
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    if (type === VARINT) return { number, type, value: this.varint(), bytes: NO_BYTES };
    const length = type === BYTES ? this.varint() : type === FIXED64 ? 8 : type === FIXED32 ? 4 : -1;
    if (length === -1 && type !== BYTES) throw new OnnxFault(`Not a protobuf message: wire type ${type}.`);
    return { number, type, value: 0, bytes: this.take(length) };
  }

  private byte(): number {
    const byte = this.source[this.position++];
    if (byte === undefined) throw new OnnxFault('Not a protobuf message: it ends inside a field.');
    return byte;
  }

  private take(length: number): Uint8Array {
    const end = this.position + length;
    // A negative length would move the reader backwards, endlessly.
    if (length < 0 || end > this.source.length) throw new OnnxFault('Not a protobuf message: it ends inside a field.');
    const bytes = this.source.subarray(this.position, end);
    this.position = end;
    return bytes;
  }
}

export const readFields = (source: Uint8Array): WireField[] => {
  const reader = new WireReader(source);
  const fields: WireField[] = [];
  while (!reader.atEnd) fields.push(reader.field());
  return fields;
};

const encodeVarint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
};

/** Collects the pieces of a message; payloads are referenced, not copied. */
export class WireWriter {
  readonly pieces: Uint8Array[] = [];

  varint(number: number, value: number): this {
    this.pieces.push(encodeVarint(number * 8 + VARINT), encodeVarint(value));
    return this;
  }

  bytes(number: number, payload: Uint8Array): this {
    this.pieces.push(encodeVarint(number * 8 + BYTES), encodeVarint(payload.length), payload);
    return this;
  }

  message(number: number, { pieces }: WireWriter): this {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.pieces.push(encodeVarint(number * 8 + BYTES), encodeVarint(length));
    for (const piece of pieces) this.pieces.push(piece);
    return this;
  }

  text(number: number, value: string): this {
    return this.bytes(number, Buffer.from(value, 'utf8'));
  }

  float(number: number, value: number): this {
    const payload = Buffer.alloc(4);
    payload.writeFloatLE(value);
    this.pieces.push(encodeVarint(number * 8 + FIXED32), payload);
    return this;
  }

  copy(field: WireField): this {
    if (field.type === VARINT) return this.varint(field.number, field.value);
    if (field.type === BYTES) return this.bytes(field.number, field.bytes);
    this.pieces.push(encodeVarint(field.number * 8 + field.type), field.bytes);
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat(this.pieces);
  }
}
