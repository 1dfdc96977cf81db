// Decodes the residue of a Vorbis spectrum (Vorbis I section 8): vectors added in up to eight passes.
import { EndOfPacket, type LsbBits } from './bits.ts';
import type { Codebook } from './codebook.ts';
import type { Residue } from './setup.ts';

/** Adds to the spectra, one per channel; an undefined spectrum is not coded. */
export const readResidue = (
  bits: LsbBits,
  residue: Residue,
  spectra: readonly (Float32Array | undefined)[],
  size: number,
): void => {
  try {
    if (residue.type !== 2) {
      decode(bits, residue, spectra, size);
      return;
    }
    // All channels are interleaved and coded as one, if any of them is coded.
    if (spectra.every((spectrum) => spectrum === undefined)) return;
    const joined = new Float32Array(size * spectra.length);
    try {
      decode(bits, residue, [joined], joined.length);
    } finally {
      for (const [channel, spectrum] of spectra.entries()) {
        if (!spectrum) continue;
        for (let at = 0, from = channel; at < size; at++, from += spectra.length) spectrum[at] = joined[from]!;
      }
    }
  } catch (thrown) {
    // Values missing from a truncated packet are zero.
    if (!(thrown instanceof EndOfPacket)) throw thrown;
  }
};

const decode = (
  bits: LsbBits,
  residue: Residue,
  spectra: readonly (Float32Array | undefined)[],
  size: number,
): void => {
  const { partitionSize, classbook, classifications, books } = residue;
  const begin = Math.min(residue.begin, size);
  const end = Math.min(residue.end, size);
  const partitions = Math.floor((end - begin) / partitionSize);
  const coded = spectra.filter((spectrum) => spectrum !== undefined);
  if (partitions <= 0 || coded.length === 0) return;
  const classes = coded.map(() => new Uint8Array(partitions + classbook.dimensions));
  for (let pass = 0; pass < 8; pass++) {
    for (let partition = 0; partition < partitions; ) {
      if (pass === 0) {
        for (const own of classes) readClasses(bits, classbook, classifications, own, partition);
      }
      const groupEnd = Math.min(partitions, partition + classbook.dimensions);
      for (; partition < groupEnd; partition++) {
        for (const [channel, spectrum] of coded.entries()) {
          const book = books[classes[channel]![partition]!]?.[pass];
          if (!book) continue;
          const from = begin + partition * partitionSize;
          if (residue.type === 0) addStrided(bits, book, spectrum, from, partitionSize);
          else addInOrder(bits, book, spectrum, from, partitionSize);
        }
      }
    }
  }
};

/** One code holds the classes of several partitions, as digits, most significant first. */
const readClasses = (
  bits: LsbBits,
  classbook: Codebook,
  classifications: number,
  classes: Uint8Array,
  partition: number,
): void => {
  let code = classbook.next(bits);
  for (let digit = classbook.dimensions - 1; digit >= 0; digit--) {
    classes[partition + digit] = code % classifications;
    code = Math.floor(code / classifications);
  }
};

const addStrided = (bits: LsbBits, book: Codebook, spectrum: Float32Array, from: number, size: number): void => {
  const { dimensions } = book;
  const vectors = book.vectors!;
  const step = Math.floor(size / dimensions);
  for (let start = 0; start < step; start++) {
    const vector = book.next(bits) * dimensions;
    for (let dimension = 0; dimension < dimensions; dimension++) {
      spectrum[from + start + dimension * step]! += vectors[vector + dimension]!;
    }
  }
};

const addInOrder = (bits: LsbBits, book: Codebook, spectrum: Float32Array, from: number, size: number): void => {
  const { dimensions } = book;
  const vectors = book.vectors!;
  for (let at = 0; at < size; ) {
    const vector = book.next(bits) * dimensions;
    const count = Math.min(dimensions, size - at);
    for (let dimension = 0; dimension < count; dimension++)
      spectrum[from + at + dimension]! += vectors[vector + dimension]!;
    at += dimensions;
  }
};
