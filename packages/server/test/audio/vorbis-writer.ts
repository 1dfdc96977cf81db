// Writes the headers of a small Vorbis stream with one codebook of any size.
import { ascii, concat } from './wav-writer.ts';

/** Sample rate 16 kHz, one channel, all blocks of 256. */
const identification = (): Uint8Array => {
  const head = Buffer.alloc(30);
  head.write('\x01vorbis', 'latin1');
  head[11] = 1;
  head.writeUInt32LE(16_000, 12);
  head[28] = 0x88;
  head[29] = 1;
  return new Uint8Array(head);
};

/** Fields with their widths in bits, lowest bit first. */
const packed = (fields: readonly (readonly [value: number, bits: number])[]): Uint8Array => {
  const bits = fields.flatMap(([value, width]) => Array.from({ length: width }, (_, bit) => (value >>> bit) & 1));
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) bytes[at >> 3]! |= bit << (at & 7);
  return bytes;
};

/** The setup of one codebook; `entriesLog2` must be at least 6. */
const setup = (entriesLog2: number, dimensions: number): Uint8Array => {
  const codebook = [
    ...([
      [0x56_43_42, 24],
      [dimensions, 16],
      [2 ** entriesLog2, 24],
      [1, 1],
      [entriesLog2 - 1, 5],
    ] as const),
    ...([
      [2 ** entriesLog2, entriesLog2 + 1],
      [1, 4],
      [0, 32],
      [0, 32],
      [0, 4],
      [0, 1],
    ] as const),
    // One multiplicand per value that the entries' root allows.
    ...Array.from({ length: Math.floor(2 ** (entriesLog2 / dimensions)) }, () => [1, 1] as const),
  ];
  const floor = [
    [0, 6],
    [1, 16],
    [0, 5],
    [0, 2],
    [8, 4],
  ] as const;
  const residue = [
    [0, 6],
    [0, 16],
    [0, 24],
    [32, 24],
    [31, 24],
    [0, 6],
    [0, 8],
    [1, 3],
    [0, 1],
    [0, 8],
  ] as const;
  const mapping = [
    [0, 6],
    [0, 16],
    [0, 1],
    [0, 1],
    [0, 2],
    [0, 8],
    [0, 8],
    [0, 8],
  ] as const;
  const mode = [
    [0, 6],
    [0, 1],
    [0, 16],
    [0, 16],
    [0, 8],
  ] as const;
  return packed([[0, 8], ...codebook, [0, 6], [0, 16], ...floor, ...residue, ...mapping, ...mode, [1, 1]]);
};

/** The codec private data of a WebM track. */
export const vorbisPrivate = (entriesLog2: number, dimensions: number): Uint8Array =>
  concat(
    Uint8Array.of(2, 30, 1),
    identification(),
    Uint8Array.of(3),
    ascii('\x05vorbis'),
    setup(entriesLog2, dimensions),
  );
