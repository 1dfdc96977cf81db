// Decodes Apple Lossless packets: residuals in an adaptive Golomb code, added to an adaptive prediction.
import { type AlacConfig, alacPacketFrames } from './alac-packet.ts';
import { MsbBits } from './bits-msb.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import { skipData, skipFill } from './skip-elements.ts';

const ELEMENT = { SINGLE: 0, PAIR: 1, LFE: 3, DATA: 4, FILL: 6, END: 7 };

export const openAlac = (config: AlacConfig): PacketDecoder => ({
  outputRateHz: config.sampleRateHz,
  decode(data) {
    const frames = alacPacketFrames(data, config);
    if (frames === 0) throw new Error('not an Apple Lossless packet');
    const bits = new MsbBits(data);
    const channels: Int32Array[] = [];
    while (channels.length < config.channels) {
      const element = bits.unsigned(3);
      if (element === ELEMENT.END) break;
      if (element === ELEMENT.FILL) skipFill(bits);
      else if (element === ELEMENT.DATA) {
        bits.skip(4);
        skipData(bits);
      } else if (element === ELEMENT.SINGLE || element === ELEMENT.LFE) channels.push(...readElement(bits, config, 1));
      else if (element === ELEMENT.PAIR) channels.push(...readElement(bits, config, 2));
      else throw new Error('unknown Apple Lossless element');
    }
    const scale = 2 ** (1 - config.bitsPerSample);
    return Array.from({ length: config.channels }, (_, channel) => {
      const samples = new Float32Array(frames);
      const decoded = channels[channel];
      if (decoded) for (let at = 0; at < frames; at++) samples[at] = (decoded[at] ?? 0) * scale;
      return samples;
    });
  },
  free: () => undefined,
});

/** One channel, or two that may be mixed. */
const readElement = (bits: MsbBits, config: AlacConfig, count: 1 | 2): Int32Array[] => {
  bits.skip(4 + 12);
  const isPartial = bits.unsigned(1) === 1;
  const shiftedBits = 8 * bits.unsigned(2);
  const isPlain = bits.unsigned(1) === 1;
  const frames = isPartial ? bits.unsigned(32) : config.packetFrames;
  if (frames > config.packetFrames) throw new Error('Apple Lossless packet out of bounds');
  const channels = Array.from({ length: count }, () => new Int32Array(frames));
  if (isPlain) {
    for (let at = 0; at < frames; at++) {
      for (const channel of channels) channel[at] = bits.signed(config.bitsPerSample);
    }
    return channels;
  }
  // The difference of two channels needs one more bit than either.
  const depth = config.bitsPerSample - shiftedBits + (count - 1);
  if (depth < 1 || depth > 32) throw new Error('Apple Lossless packet out of bounds');
  const mixBits = bits.unsigned(8);
  const mixWeight = bits.signed(8);
  const predictors = channels.map(() => readPredictor(bits));
  const shiftedAt = bits.position;
  bits.skip(shiftedBits * count * frames);
  for (const [index, channel] of channels.entries()) {
    const { isTwofold, codeSpeed, shift, weights } = predictors[index]!;
    readResiduals(bits, channel, config, codeSpeed, depth);
    if (isTwofold) addPrediction(channel, new Int16Array(31), 0, depth);
    addPrediction(channel, weights, shift, depth);
  }
  const [first, second] = channels;
  if (first && second && mixWeight !== 0) unmix(first, second, mixBits, mixWeight);
  if (shiftedBits > 0) appendShifted(bits, shiftedAt, channels, shiftedBits);
  return channels;
};

interface Predictor {
  readonly isTwofold: boolean;
  readonly shift: number;
  readonly codeSpeed: number;
  readonly weights: Int16Array;
}

const readPredictor = (bits: MsbBits): Predictor => {
  const isTwofold = bits.unsigned(4) !== 0;
  const shift = bits.unsigned(4);
  const codeSpeed = bits.unsigned(3);
  const order = bits.unsigned(5);
  return { isTwofold, shift, codeSpeed, weights: Int16Array.from({ length: order }, () => bits.signed(16)) };
};

const PREFIX_MAX = 9;

/** The code's parameters follow a running mean; while it is small, runs of zeros have their own code. */
const readResiduals = (
  bits: MsbBits,
  samples: Int32Array,
  config: AlacConfig,
  codeSpeed: number,
  depth: number,
): void => {
  const speed = (config.codeSpeed * codeSpeed) >> 2;
  const runMask = (1 << config.codeBitsMax) - 1;
  let mean = config.codeMean;
  let isAfterRun = 0;
  for (let at = 0; at < samples.length; ) {
    const parameterBits = Math.min(config.codeBitsMax, 31 - Math.clz32((mean >> 9) + 3));
    const code = readCode(bits, parameterBits, depth) + isAfterRun;
    samples[at++] = code % 2 === 0 ? code / 2 : -(code + 1) / 2;
    mean = code - isAfterRun > 0xffff ? 0xffff : (speed * code + mean - ((speed * mean) >> 9)) | 0;
    isAfterRun = 0;
    if (mean * 4 >= 512 || at >= samples.length) continue;
    const runBits = Math.clz32(mean) - 24 + ((mean + 16) >> 6);
    const run = readRun(bits, runBits, ((1 << runBits) - 1) & runMask);
    at += run;
    isAfterRun = run < 0xffff ? 1 : 0;
    mean = 0;
  }
};

/** Leading ones, then a remainder in which a shorter code means zero. */
const readCode = (bits: MsbBits, parameterBits: number, depth: number): number => {
  const prefix = Math.clz32(~bits.peek());
  if (prefix >= PREFIX_MAX) {
    bits.skip(PREFIX_MAX);
    return bits.unsigned(depth);
  }
  bits.skip(prefix + 1);
  if (parameterBits === 1) return prefix;
  return prefix * ((1 << parameterBits) - 1) + readRemainder(bits, parameterBits);
};

const readRun = (bits: MsbBits, parameterBits: number, factor: number): number => {
  const prefix = Math.clz32(~bits.peek());
  if (prefix >= PREFIX_MAX) {
    bits.skip(PREFIX_MAX);
    return bits.unsigned(16);
  }
  bits.skip(prefix + 1);
  return prefix * factor + readRemainder(bits, parameterBits);
};

const readRemainder = (bits: MsbBits, parameterBits: number): number => {
  const value = bits.peek() >>> (32 - parameterBits);
  if (value < 2) {
    bits.skip(parameterBits - 1);
    return 0;
  }
  bits.skip(parameterBits);
  return value - 1;
};

/**
 * Converts residuals to samples in place. The weights adapt to each residual's sign; an order of 31 is a plain
 * difference.
 */
const addPrediction = (samples: Int32Array, weights: Int16Array, shift: number, depth: number): void => {
  const order = weights.length;
  const spare = 32 - depth;
  const wrap = (value: number): number => (value << spare) >> spare;
  if (order === 0) return;
  const isPlain = order === 31;
  const warmUp = isPlain ? samples.length - 1 : Math.min(order, samples.length - 1);
  for (let at = 1; at <= warmUp; at++) samples[at] = wrap(samples[at]! + samples[at - 1]!);
  if (isPlain) return;
  const half = shift > 0 ? 1 << (shift - 1) : 0;
  for (let at = order + 1; at < samples.length; at++) {
    const residual = samples[at]!;
    const base = samples[at - order - 1]!;
    let sum = 0;
    for (let tap = 0; tap < order; tap++) {
      sum = (sum + Math.imul(weights[tap]!, (samples[at - 1 - tap]! - base) | 0)) | 0;
    }
    samples[at] = wrap((residual + base + ((sum + half) >> shift)) | 0);
    const sign = Math.sign(residual);
    let left = residual;
    for (let tap = order - 1; tap >= 0 && left * sign > 0; tap--) {
      const difference = (base - samples[at - 1 - tap]!) | 0;
      const step = Math.sign(difference) * sign;
      weights[tap]! -= step;
      left -= (order - tap) * ((step * difference) >> shift);
    }
  }
};

const unmix = (first: Int32Array, second: Int32Array, mixBits: number, mixWeight: number): void => {
  for (let at = 0; at < first.length; at++) {
    const side = second[at]!;
    const left = first[at]! + side - (Math.imul(mixWeight, side) >> mixBits);
    first[at] = left;
    second[at] = left - side;
  }
};

/** The lowest bits of deep samples are stored uncompressed. */
const appendShifted = (
  bits: MsbBits,
  shiftedAt: number,
  channels: readonly Int32Array[],
  shiftedBits: number,
): void => {
  const after = bits.position;
  bits.seek(shiftedAt);
  for (let at = 0; at < channels[0]!.length; at++) {
    for (const channel of channels) channel[at] = (channel[at]! << shiftedBits) | bits.unsigned(shiftedBits);
  }
  bits.seek(after);
};
