// Parses the headers of a Vorbis stream (Vorbis I section 4.2).
import { bitLength, LsbBits } from './bits.ts';
import { type Codebook, CodebookBudget, readCodebook } from './codebook.ts';

export interface Floor {
  readonly partitionClasses: readonly number[];
  readonly classes: readonly FloorClass[];
  readonly multiplier: number;
  /** Positions of the curve's points, in coded order. */
  readonly positions: readonly number[];
  /** Indices of the points, sorted by position. */
  readonly sorted: readonly number[];
  /** For each point from the third on, the nearest earlier points below and above it. */
  readonly neighbours: readonly (readonly [number, number])[];
}
export interface FloorClass {
  readonly dimensions: number;
  readonly subclassBits: number;
  readonly masterbook: Codebook | undefined;
  readonly books: readonly (Codebook | undefined)[];
}
export interface Residue {
  readonly type: 0 | 1 | 2;
  readonly begin: number;
  readonly end: number;
  readonly partitionSize: number;
  readonly classifications: number;
  readonly classbook: Codebook;
  /** For each class, the codebook of each of the eight passes. */
  readonly books: readonly (readonly (Codebook | undefined)[])[];
}
export interface Mapping {
  readonly couplings: readonly { readonly magnitude: number; readonly angle: number }[];
  readonly submapOfChannel: readonly number[];
  readonly submaps: readonly { readonly floor: Floor; readonly residue: Residue }[];
}
export interface Mode {
  readonly isLong: boolean;
  readonly mapping: Mapping;
}
export interface VorbisSetup {
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly blockSizes: readonly [short: number, long: number];
  readonly modes: readonly Mode[];
  readonly modeBits: number;
}

/** Limit: each channel costs a transform per packet, however short the packet is. */
const CHANNELS_MAX = 16;

const hasMagic = (packet: Uint8Array, type: number): boolean =>
  packet[0] === type && [0x76, 0x6f, 0x72, 0x62, 0x69, 0x73].every((byte, at) => packet[1 + at] === byte);

export const isVorbisIdentification = (packet: Uint8Array): boolean => packet.length >= 30 && hasMagic(packet, 1);

/** Throws when the headers are invalid. The comment header between them is not needed. */
export const parseVorbisSetup = (identification: Uint8Array, setup: Uint8Array): VorbisSetup => {
  if (!isVorbisIdentification(identification)) throw new Error('no Vorbis identification header');
  const view = new DataView(identification.buffer, identification.byteOffset, identification.byteLength);
  const channels = identification[11]!;
  const sampleRateHz = view.getUint32(12, true);
  const blockSizes = [1 << (identification[28]! & 15), 1 << (identification[28]! >> 4)] as const;
  const [short, long] = blockSizes;
  if (
    view.getUint32(7, true) !== 0 ||
    channels === 0 ||
    channels > CHANNELS_MAX ||
    short < 64 ||
    long > 8192 ||
    short > long
  ) {
    throw new Error('Vorbis identification header out of bounds');
  }
  if (!hasMagic(setup, 5)) throw new Error('no Vorbis setup header');
  const bits = new LsbBits(setup, 7);
  const budget = new CodebookBudget();
  const codebooks = list(bits.read(8) + 1, () => readCodebook(bits, budget));
  const book = (index: number): Codebook => codebooks[index] ?? fail('a missing codebook');
  // Placeholders that the format has never used.
  for (let left = bits.read(6) + 1; left > 0; left--) if (bits.read(16) !== 0) fail('a time transform');
  const floors = list(bits.read(6) + 1, () => readFloor(bits, book));
  const residues = list(bits.read(6) + 1, () => readResidue(bits, book));
  const mappings = list(bits.read(6) + 1, () => readMapping(bits, channels, floors, residues));
  const modes = list(bits.read(6) + 1, () => readMode(bits, mappings));
  return { sampleRateHz, channels, blockSizes, modes, modeBits: bitLength(modes.length - 1) };
};

const fail = (what: string): never => {
  throw new Error(`the Vorbis setup has ${what}`);
};

const list = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);

const readFloor = (bits: LsbBits, book: (index: number) => Codebook): Floor => {
  if (bits.read(16) !== 1) fail('a floor of type 0, which is obsolete');
  const partitionClasses = list(bits.read(5), () => bits.read(4));
  const classes = list(Math.max(-1, ...partitionClasses) + 1, () => readFloorClass(bits, book));
  const multiplier = bits.read(2) + 1;
  const rangeBits = bits.read(4);
  const positions = [0, 2 ** rangeBits];
  for (const index of partitionClasses) {
    for (let left = classes[index]!.dimensions; left > 0; left--) positions.push(bits.read(rangeBits));
  }
  if (positions.length > 65 || new Set(positions).size < positions.length) fail('a floor with invalid points');
  const sorted = [...positions.keys()].sort((a, b) => positions[a]! - positions[b]!);
  const neighbours = positions.map((_, index) => neighboursOf(positions, index));
  return { partitionClasses, classes, multiplier, positions, sorted, neighbours };
};

const readFloorClass = (bits: LsbBits, book: (index: number) => Codebook): FloorClass => {
  const dimensions = bits.read(3) + 1;
  const subclassBits = bits.read(2);
  const masterbook = subclassBits > 0 ? book(bits.read(8)) : undefined;
  const books = list(1 << subclassBits, () => {
    const index = bits.read(8) - 1;
    return index < 0 ? undefined : book(index);
  });
  return { dimensions, subclassBits, masterbook, books };
};

const neighboursOf = (positions: readonly number[], index: number): [number, number] => {
  let below = 0;
  let above = 1;
  for (let other = 0; other < index; other++) {
    const position = positions[other]!;
    if (position < positions[index]! && position > positions[below]!) below = other;
    if (position > positions[index]! && position < positions[above]!) above = other;
  }
  return [below, above];
};

const readResidue = (bits: LsbBits, book: (index: number) => Codebook): Residue => {
  const type = bits.read(16);
  if (type !== 0 && type !== 1 && type !== 2) return fail('a residue of unknown type');
  const begin = bits.read(24);
  const end = bits.read(24);
  const partitionSize = bits.read(24) + 1;
  const classifications = bits.read(6) + 1;
  const classbook = book(bits.read(8));
  if (classbook.dimensions === 0) fail('a residue whose classes have no dimensions');
  const cascades = list(classifications, () => {
    const low = bits.read(3);
    return low | (bits.flag() ? bits.read(5) << 3 : 0);
  });
  const books = cascades.map((cascade) =>
    Array.from({ length: 8 }, (_, pass) => {
      if (!(cascade & (1 << pass))) return undefined;
      const found = book(bits.read(8));
      return found.vectors ? found : fail('a residue book without vectors');
    }),
  );
  return { type, begin, end, partitionSize, classifications, classbook, books };
};

const readMapping = (
  bits: LsbBits,
  channels: number,
  floors: readonly Floor[],
  residues: readonly Residue[],
): Mapping => {
  if (bits.read(16) !== 0) fail('a mapping of unknown type');
  const submapCount = bits.flag() ? bits.read(4) + 1 : 1;
  const channelBits = bitLength(channels - 1);
  const couplings = list(bits.flag() ? bits.read(8) + 1 : 0, () => {
    const magnitude = bits.read(channelBits);
    const angle = bits.read(channelBits);
    if (magnitude === angle || magnitude >= channels || angle >= channels) fail('an invalid coupling');
    return { magnitude, angle };
  });
  if (bits.read(2) !== 0) fail('a mapping with reserved bits');
  const submapOfChannel = list(channels, () => (submapCount > 1 ? bits.read(4) : 0));
  const submaps = list(submapCount, () => {
    bits.read(8);
    const floor = floors[bits.read(8)] ?? fail('a missing floor');
    const residue = residues[bits.read(8)] ?? fail('a missing residue');
    return { floor, residue };
  });
  if (submapOfChannel.some((submap) => submap >= submapCount)) fail('a missing submap');
  return { couplings, submapOfChannel, submaps };
};

const readMode = (bits: LsbBits, mappings: readonly Mapping[]): Mode => {
  const isLong = bits.flag();
  if (bits.read(16) !== 0 || bits.read(16) !== 0) fail('a mode of unknown type');
  return { isLong, mapping: mappings[bits.read(8)] ?? fail('a missing mapping') };
};

/** Returns a function that counts the frames of each packet, in order; the first packet only primes the decoder. */
export const vorbisPacketFrames = ({ blockSizes, modes, modeBits }: VorbisSetup): ((packet: Uint8Array) => number) => {
  let before: number | undefined;
  return (packet) => {
    const first = packet[0];
    if (first === undefined || (first & 1) !== 0) return 0;
    const mode = modes[(first >> 1) & ((1 << modeBits) - 1)];
    if (!mode) return 0;
    const size = blockSizes[mode.isLong ? 1 : 0];
    const frames = before === undefined ? 0 : (before + size) / 4;
    before = size;
    return frames;
  };
};
