// Decodes FLAC frames (RFC 9639): lossless, up to 24 bits; verifies each frame's checksum first.
import { MsbBits } from './bits-msb.ts';
import { type FlacFrameHeader, type FlacInfo, parseFlacFrameHeader } from './flac-frame.ts';
import type { PacketDecoder } from './packet-decoder.ts';

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
  return crc;
});

/** Returns 0 for an intact frame that includes its checksum. */
export const flacChecksum = (frame: Uint8Array): number => {
  let crc = 0;
  for (let at = 0; at < frame.length; at++) crc = stepFlacChecksum(crc, frame[at]!);
  return crc;
};

export const stepFlacChecksum = (crc: number, byte: number): number =>
  ((crc << 8) ^ crcTable[((crc >> 8) ^ byte) & 0xff]!) & 0xffff;

export const openFlac = (info: FlacInfo): PacketDecoder => ({
  outputRateHz: info.sampleRateHz,
  decode(data) {
    const header = parseFlacFrameHeader(data, info);
    if (!header || header.channels !== info.channels) throw new Error('not a FLAC frame of this stream');
    if (flacChecksum(data) !== 0) throw new Error('the FLAC frame is damaged');
    return toFloats(decodeFrame(data, header), header.bitsPerSample);
  },
  free: () => undefined,
});

/** Samples as integers; doubles hold every intermediate value exactly. */
const decodeFrame = (data: Uint8Array, header: FlacFrameHeader): Float64Array[] => {
  const bits = new MsbBits(data, header.headerBytes);
  const channels = Array.from({ length: header.channels }, (_, channel) => {
    // The difference of two channels needs one more bit than either.
    const isSide = header.stereo === 'side-right' ? channel === 0 : header.stereo !== 'independent' && channel === 1;
    return subframe(bits, header.frames, header.bitsPerSample + (isSide ? 1 : 0));
  });
  const [first, second] = channels;
  if (first && second) joinStereo(first, second, header.stereo);
  return channels;
};

const joinStereo = (first: Float64Array, second: Float64Array, stereo: FlacFrameHeader['stereo']): void => {
  for (let at = 0; at < first.length; at++) {
    const a = first[at]!;
    const b = second[at]!;
    if (stereo === 'left-side') second[at] = a - b;
    else if (stereo === 'side-right') first[at] = a + b;
    else if (stereo === 'mid-side') {
      const sum = a * 2 + (b & 1);
      first[at] = (sum + b) / 2;
      second[at] = (sum - b) / 2;
    }
  }
};

const subframe = (bits: MsbBits, frames: number, fullDepth: number): Float64Array => {
  bits.unsigned(1);
  const type = bits.unsigned(6);
  const wasted = bits.unsigned(1) === 1 ? bits.unary() + 1 : 0;
  const depth = fullDepth - wasted;
  if (depth < 1) throw new Error('FLAC subframe without bits');
  const samples = new Float64Array(frames);
  if (type === 0) samples.fill(bits.signed(depth));
  else if (type === 1) for (let at = 0; at < frames; at++) samples[at] = bits.signed(depth);
  else if (type >= 8 && type <= 12) fixedSubframe(bits, samples, depth, type - 8);
  else if (type >= 32) linearSubframe(bits, samples, depth, type - 31);
  else throw new Error('reserved FLAC subframe type');
  if (wasted > 0) for (let at = 0; at < frames; at++) samples[at]! *= 2 ** wasted;
  return samples;
};

/** Polynomial predictors, newest sample first. */
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

const fixedSubframe = (bits: MsbBits, samples: Float64Array, depth: number, order: number): void => {
  warmUp(bits, samples, depth, order);
  residual(bits, samples, order);
  predict(samples, FIXED[order]!, 0);
};

const linearSubframe = (bits: MsbBits, samples: Float64Array, depth: number, order: number): void => {
  warmUp(bits, samples, depth, order);
  const precision = bits.unsigned(4) + 1;
  const shift = bits.signed(5);
  if (precision === 16 || shift < 0) throw new Error('FLAC predictor out of bounds');
  const coefficients = Array.from({ length: order }, () => bits.signed(precision));
  residual(bits, samples, order);
  predict(samples, coefficients, shift);
};

const warmUp = (bits: MsbBits, samples: Float64Array, depth: number, order: number): void => {
  if (order > samples.length) throw new Error('FLAC predictor longer than its frame');
  for (let at = 0; at < order; at++) samples[at] = bits.signed(depth);
};

/** Adds the prediction to the residuals, which are in the samples after the warm-up. */
const predict = (samples: Float64Array, coefficients: readonly number[], shift: number): void => {
  const order = coefficients.length;
  const scale = 2 ** -shift;
  for (let at = order; at < samples.length; at++) {
    let sum = 0;
    for (let tap = 0; tap < order; tap++) sum += coefficients[tap]! * samples[at - 1 - tap]!;
    samples[at]! += Math.floor(sum * scale);
  }
};

/** Rice-coded residuals, in partitions with their own parameters. */
const residual = (bits: MsbBits, samples: Float64Array, order: number): void => {
  const method = bits.unsigned(2);
  if (method > 1) throw new Error('reserved FLAC residual type');
  const parameterBits = method === 0 ? 4 : 5;
  const unencoded = method === 0 ? 15 : 31;
  const partitions = 1 << bits.unsigned(4);
  const partitionFrames = samples.length / partitions;
  if (!Number.isInteger(partitionFrames) || partitionFrames < order) throw new Error('FLAC residual out of bounds');
  for (let partition = 0, at = order; partition < partitions; partition++) {
    const end = (partition + 1) * partitionFrames;
    const parameter = bits.unsigned(parameterBits);
    if (parameter === unencoded) {
      const depth = bits.unsigned(5);
      for (; at < end; at++) samples[at] = bits.signed(depth);
      continue;
    }
    const scale = 2 ** parameter;
    for (; at < end; at++) {
      const word = bits.peek();
      const zeros = Math.clz32(word);
      let code: number;
      if (zeros + parameter < 32) {
        // The whole code is nearly always in one word.
        code = zeros * scale + (parameter === 0 ? 0 : (word << (zeros + 1)) >>> (32 - parameter));
        bits.skip(zeros + 1 + parameter);
      } else {
        code = bits.unary() * scale + bits.unsigned(parameter);
      }
      samples[at] = code % 2 === 0 ? code / 2 : -(code + 1) / 2;
    }
  }
};

const toFloats = (channels: readonly Float64Array[], bitsPerSample: number): Float32Array[] => {
  const scale = 2 ** (1 - bitsPerSample);
  return channels.map((samples) => {
    const floats = new Float32Array(samples.length);
    for (let at = 0; at < floats.length; at++) floats[at] = samples[at]! * scale;
    return floats;
  });
};
