// Decodes Vorbis packets (Vorbis I section 4.3): floor times residue, inverse MDCT, overlap with the previous block.

import { type InverseMdct, inverseMdct } from '../mdct.ts';
import type { PacketDecoder } from '../packet-decoder.ts';
import { LsbBits } from './bits.ts';
import { applyFloor, readFloorPoints } from './floor.ts';
import { readResidue } from './residue.ts';
import type { Mapping, VorbisSetup } from './setup.ts';

export const openVorbis = (setup: VorbisSetup): PacketDecoder => {
  const decoder = new VorbisDecoder(setup);
  return {
    outputRateHz: setup.sampleRateHz,
    decode: (data) => decoder.decode(data),
    free: () => undefined,
  };
};

class VorbisDecoder {
  readonly #setup: VorbisSetup;
  readonly #transforms: readonly [InverseMdct, InverseMdct];
  /** Rising halves of both windows. */
  readonly #slopes: readonly [Float32Array, Float32Array];
  /** The windowed second half of the previous block, per channel; empty before the first. */
  #tails: Float32Array[] = [];

  constructor(setup: VorbisSetup) {
    this.#setup = setup;
    const [short, long] = setup.blockSizes;
    this.#transforms = [inverseMdct(short), inverseMdct(long)];
    this.#slopes = [slope(short / 2), slope(long / 2)];
  }

  decode(data: Uint8Array): Float32Array[] {
    // An undecodable packet breaks the overlap: restart with the next packet instead of inventing frames.
    const before = this.#tails;
    this.#tails = [];
    const bits = new LsbBits(data);
    if (bits.flag()) throw new Error('not a Vorbis audio packet');
    const mode = this.#setup.modes[bits.read(this.#setup.modeBits)];
    if (!mode) throw new Error('missing Vorbis mode');
    const size = this.#setup.blockSizes[mode.isLong ? 1 : 0];
    const beforeIsLong = mode.isLong && bits.flag();
    const afterIsLong = mode.isLong && bits.flag();
    const spectra = this.#readSpectra(bits, mode.mapping, size / 2);
    const transform = this.#transforms[mode.isLong ? 1 : 0];
    const output: Float32Array[] = [];
    const tails: Float32Array[] = [];
    for (const [channel, spectrum] of spectra.entries()) {
      const block = transform.transform(spectrum);
      this.#applyWindow(block, beforeIsLong, afterIsLong);
      const tail = before[channel];
      output.push(tail ? overlap(tail, block) : new Float32Array(0));
      tails.push(block.slice(size / 2));
    }
    this.#tails = tails;
    return output;
  }

  #readSpectra(bits: LsbBits, mapping: Mapping, size: number): Float32Array[] {
    const submaps = mapping.submapOfChannel.map((submap) => mapping.submaps[submap]!);
    const points = submaps.map(({ floor }) => readFloorPoints(bits, floor));
    const spectra = points.map(() => new Float32Array(size));
    const isCoded = points.map((heights) => heights !== undefined);
    for (const { magnitude, angle } of mapping.couplings) {
      if (isCoded[magnitude] || isCoded[angle]) isCoded[magnitude] = isCoded[angle] = true;
    }
    for (const [index, { residue }] of mapping.submaps.entries()) {
      const members = mapping.submapOfChannel.flatMap((submap, channel) => (submap === index ? [channel] : []));
      const wanted = members.map((channel) => (isCoded[channel] ? spectra[channel] : undefined));
      readResidue(bits, residue, wanted, size);
    }
    for (const { magnitude, angle } of mapping.couplings.toReversed()) uncouple(spectra[magnitude]!, spectra[angle]!);
    for (const [channel, heights] of points.entries()) {
      if (heights) applyFloor(submaps[channel]!.floor, heights, spectra[channel]!);
      else spectra[channel]!.fill(0);
    }
    return spectra;
  }

  #applyWindow(block: Float32Array, beforeIsLong: boolean, afterIsLong: boolean): void {
    const size = block.length;
    const rise = this.#slopes[beforeIsLong ? 1 : 0];
    const fall = this.#slopes[afterIsLong ? 1 : 0];
    // A slope shorter than half the block is in the middle of that half.
    const riseAt = size / 4 - rise.length / 2;
    block.fill(0, 0, riseAt);
    for (let at = 0; at < rise.length; at++) block[riseAt + at]! *= rise[at]!;
    const fallAt = (size * 3) / 4 - fall.length / 2;
    for (let at = 0; at < fall.length; at++) block[fallAt + at]! *= fall[fall.length - 1 - at]!;
    block.fill(0, fallAt + fall.length);
  }
}

const slope = (size: number): Float32Array =>
  Float32Array.from({ length: size }, (_, at) => {
    const inner = Math.sin((((at + 0.5) / size) * Math.PI) / 2);
    return Math.sin((Math.PI / 2) * inner * inner);
  });

/** From the centre of the previous block to the centre of this one. */
const overlap = (tail: Float32Array, block: Float32Array): Float32Array => {
  const output = new Float32Array(tail.length / 2 + block.length / 4);
  const shift = block.length / 4 - tail.length / 2;
  for (let at = 0; at < output.length; at++) {
    const from = at + shift;
    output[at] = (at < tail.length ? tail[at]! : 0) + (from >= 0 ? block[from]! : 0);
  }
  return output;
};

/** Converts magnitude and angle to two channels. */
const uncouple = (magnitudes: Float32Array, angles: Float32Array): void => {
  for (let at = 0; at < magnitudes.length; at++) {
    const magnitude = magnitudes[at]!;
    const angle = angles[at]!;
    const other = magnitude > 0 ? magnitude - Math.abs(angle) : magnitude + Math.abs(angle);
    if (angle > 0) angles[at] = other;
    else {
      magnitudes[at] = other;
      angles[at] = magnitude;
    }
  }
};
