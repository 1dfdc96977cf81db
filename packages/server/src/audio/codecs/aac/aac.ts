// Decodes AAC-LC packets (ISO/IEC 14496-3 section 4.4.2.1): the elements of a raw data block.
import { MsbBits } from '../bits-msb.ts';
import { type PacketDecoder, WANTED_HZ_MAX } from '../packet-decoder.ts';
import { skipData, skipFill } from '../skip-elements.ts';
import { type ChannelStream, readChannelStream } from './channel-stream.ts';
import { AAC_FRAMES, type AacConfig, bandRateIndex, readProgramChannels } from './config.ts';
import { FilterBank } from './filter-bank.ts';
import { shapeNoise } from './noise-shaping.ts';
import { readSpectrum } from './spectrum.ts';
import { addNoise, joinStereo, Noise } from './stereo.ts';
import { readWindowInfo, type WindowInfo } from './window-info.ts';

export const openAac = (config: AacConfig): PacketDecoder => {
  const decoder = new AacDecoder(config);
  return {
    outputRateHz: config.sampleRateHz,
    decode: (data) => decoder.decode(data),
    free: () => undefined,
  };
};

const ELEMENT = { SINGLE: 0, PAIR: 1, COUPLING: 2, LFE: 3, DATA: 4, PROGRAM: 5, FILL: 6, END: 7 };

interface Channel {
  readonly spectrum: Float32Array;
  readonly filterBank: FilterBank;
  /** Undefined when this frame has no data for the channel. */
  stream: ChannelStream | undefined;
}

class AacDecoder {
  readonly #rateIndex: number;
  /** Lines of a long window within the wanted band. */
  readonly #linesMax: number;
  readonly #channels: readonly Channel[];
  readonly #noise = new Noise();

  constructor({ sampleRateHz, channels }: AacConfig) {
    this.#rateIndex = bandRateIndex(sampleRateHz);
    this.#linesMax = Math.ceil((WANTED_HZ_MAX * 2 * AAC_FRAMES) / sampleRateHz);
    this.#channels = Array.from({ length: channels }, () => ({
      spectrum: new Float32Array(AAC_FRAMES),
      filterBank: new FilterBank(),
      stream: undefined,
    }));
  }

  decode(data: Uint8Array): Float32Array[] {
    for (const channel of this.#channels) channel.stream = undefined;
    this.#readElements(new MsbBits(data));
    if (this.#channels.every(({ stream }) => stream === undefined)) throw new Error('AAC packet without audio');
    return this.#channels.map(({ stream, spectrum, filterBank }) => {
      if (!stream) return new Float32Array(AAC_FRAMES);
      shapeNoise(stream.shaping, stream.info, this.#rateIndex, spectrum);
      return filterBank.process(stream.info, spectrum);
    });
  }

  #readElements(bits: MsbBits): void {
    let next = 0;
    for (;;) {
      const element = bits.unsigned(3);
      if (element === ELEMENT.END) return;
      if (element === ELEMENT.FILL) {
        skipFill(bits);
        continue;
      }
      // The element's number; channels are identified by their order.
      if (element !== ELEMENT.PROGRAM) bits.skip(4);
      if (element === ELEMENT.DATA) skipData(bits);
      else if (element === ELEMENT.PROGRAM) readProgramChannels(bits);
      else if (element === ELEMENT.COUPLING) throw new Error('AAC with coupling channels is not supported');
      else if (element === ELEMENT.PAIR) {
        this.#readPair(bits, this.#channel(next), this.#channel(next + 1));
        next += 2;
      } else {
        this.#readSingle(bits, this.#channel(next));
        next += 1;
      }
    }
  }

  #channel(index: number): Channel {
    const channel = this.#channels[index];
    if (!channel) throw new Error('more AAC channels than declared');
    return channel;
  }

  #readSingle(bits: MsbBits, channel: Channel): void {
    const stream = readChannelStream(bits, this.#rateIndex, undefined);
    readSpectrum(bits, stream, channel.spectrum, this.#linesMax);
    addNoise(stream, channel.spectrum, this.#noise);
    channel.stream = stream;
  }

  #readPair(bits: MsbBits, left: Channel, right: Channel): void {
    const shared = bits.unsigned(1) === 1 ? readWindowInfo(bits, this.#rateIndex) : undefined;
    const isJoint = shared && readJointBands(bits, shared);
    const first = readChannelStream(bits, this.#rateIndex, shared);
    readSpectrum(bits, first, left.spectrum, this.#linesMax);
    addNoise(first, left.spectrum, this.#noise);
    const second = readChannelStream(bits, this.#rateIndex, shared);
    readSpectrum(bits, second, right.spectrum, this.#linesMax);
    addNoise(second, right.spectrum, this.#noise);
    joinStereo(first, second, isJoint ?? new Uint8Array(second.books.length), left.spectrum, right.spectrum);
    left.stream = first;
    right.stream = second;
  }
}

/** Mode 0: no band is joint; 1: one bit per band; 2: all. */
const readJointBands = (bits: MsbBits, { groups, bandCount }: WindowInfo): Uint8Array => {
  const mode = bits.unsigned(2);
  const count = groups.length * bandCount;
  if (mode === 3) throw new Error('reserved AAC stereo mode');
  if (mode === 1) return Uint8Array.from({ length: count }, () => bits.unsigned(1));
  return new Uint8Array(count).fill(mode === 2 ? 1 : 0);
};
