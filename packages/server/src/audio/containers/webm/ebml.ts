// EBML, the binary format of WebM: element headers from a stream, and the children of an element in memory.
import type { ByteQueue, Waiting } from '../byte-queue.ts';
import { viewOf } from '../read-bytes.ts';

export interface ElementHeader {
  readonly id: number;
  /** Undefined when the writer did not know the size. */
  readonly bytes: number | undefined;
}

export interface Element {
  readonly id: number;
  readonly data: Uint8Array;
}

/** Length in bytes of a variable-length integer, from its first byte; 9 when the byte is invalid. */
const vintBytes = (first: number): number => (first === 0 ? 9 : Math.clz32(first) - 23);

/** Value of a variable-length integer; undefined when all its bits are set, which means unknown. */
const vintValue = (data: Uint8Array, at: number, length: number): number | undefined => {
  let value = data[at]! & (0xff >> length);
  let allSet = value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = data[at + index]!;
    value = value * 256 + byte;
    allSet &&= byte === 0xff;
  }
  return allSet ? undefined : value;
};

/** A variable-length integer in memory; undefined when it is incomplete, invalid or unknown. */
export const readVint = (data: Uint8Array, at: number): { value: number; bytes: number } | undefined => {
  const first = data[at];
  if (first === undefined) return undefined;
  const bytes = vintBytes(first);
  if (bytes > 8 || at + bytes > data.length) return undefined;
  const value = vintValue(data, at, bytes);
  return value === undefined ? undefined : { value, bytes };
};

const elementId = (data: Uint8Array, at: number, length: number): number => {
  let id = 0;
  for (let index = 0; index < length; index++) id = id * 256 + data[at + index]!;
  return id;
};

/** The header of the next element; 'end' at the end of the file, 'damaged' when the bytes are not an element. */
export function* nextElement(bytes: ByteQueue): Waiting<ElementHeader | 'end' | 'damaged'> {
  if (!(yield* bytes.need(1))) return 'end';
  const idBytes = vintBytes(bytes.peek(1)[0]!);
  if (idBytes > 4) return 'damaged';
  if (!(yield* bytes.need(idBytes + 1))) return 'end';
  const sizeBytes = vintBytes(bytes.peek(idBytes + 1)[idBytes]!);
  if (sizeBytes > 8) return 'damaged';
  if (!(yield* bytes.need(idBytes + sizeBytes))) return 'end';
  const header = bytes.take(idBytes + sizeBytes);
  return { id: elementId(header, 0, idBytes), bytes: vintValue(header, idBytes, sizeBytes) };
}

/** The children of an element, up to the first that is damaged. */
export function* childrenOf(data: Uint8Array): Generator<Element, void, void> {
  let at = 0;
  while (at < data.length) {
    const idBytes = vintBytes(data[at]!);
    if (idBytes > 4 || at + idBytes > data.length) return;
    const size = readVint(data, at + idBytes);
    if (!size) return;
    const from = at + idBytes + size.bytes;
    if (from + size.value > data.length) return;
    yield { id: elementId(data, at, idBytes), data: data.subarray(from, from + size.value) };
    at = from + size.value;
  }
}

export const unsignedOf = (data: Uint8Array): number => data.reduce((value, byte) => value * 256 + byte, 0);

export const signedOf = (data: Uint8Array): number => {
  const value = unsignedOf(data);
  return data.length > 0 && data[0]! >= 0x80 ? value - 256 ** data.length : value;
};

export const floatOf = (data: Uint8Array): number => {
  const view = viewOf(data);
  return data.length === 4 ? view.getFloat32(0) : data.length === 8 ? view.getFloat64(0) : 0;
};

export const textOf = (data: Uint8Array): string => new TextDecoder('latin1').decode(data).replace(/\0.*$/s, '');
