// Decodes MP3 frames (ISO/IEC 11172-3 and 13818-3, layer III); a frame may use bytes of earlier frames.
import { MsbBits } from '../bits-msb.ts';
import { type PacketDecoder, WANTED_HZ_MAX } from '../packet-decoder.ts';
import { type Band, bandLayout, LINES } from './bands.ts';
import { MP3_HEADER_BYTES, type Mp3Header, parseMp3Header, sideInfoBytes } from './header.ts';
import { interleaveWindows, reduceAlias, SUBBAND_LINES, synthesiseSubband } from './hybrid.ts';
import { readMpeg1ScaleFactors, readMpeg2ScaleFactors, type ScaleFactors } from './scale-factors.ts';
import { type Granule, readSideInfo, type SideInfo } from './side-info.ts';
import { readValues, requantise } from './spectrum.ts';
import { joinStereo } from './stereo.ts';
import { Synthesis } from './synthesis.ts';

export interface Mp3Config {
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** From this rate on, only every second sample is computed. */
const HALVED_RATE_HZ_MIN = 32_000;
const RESERVOIR_BYTES_MAX = 511;

/** `skipFrames` are cut from the start; decimation keeps the first sample after them. */
export const openMp3 = (config: Mp3Config, skipFrames: number): PacketDecoder => {
  const divide = config.sampleRateHz >= HALVED_RATE_HZ_MIN ? 2 : 1;
  const phase = divide === 2 && skipFrames % 2 === 1 ? 1 : 0;
  const decoder = new Mp3Decoder(config, divide, phase);
  return {
    outputRateHz: config.sampleRateHz / divide,
    phaseFrames: phase,
    decode: (data) => decoder.decode(data),
    free: () => undefined,
  };
};

/** State of a channel between granules. */
interface Channel {
  readonly values: Int32Array;
  readonly spectrum: Float32Array;
  readonly overlap: Float32Array;
  readonly synthesis: Synthesis;
  /** Subband values for each of the eighteen slots of a granule. */
  readonly slots: Float32Array;
}

interface Coded {
  readonly granule: Granule;
  readonly layout: readonly Band[];
  readonly scaleFactors: ScaleFactors;
}

/** Containers do not always know the channel count of the frames. */
const withChannels = (output: Float32Array[], channels: number): Float32Array[] => {
  const [first, second] = output;
  if (!first || output.length === channels) return output;
  if (!second) return Array.from({ length: channels }, () => first);
  return [first.map((sample, at) => (sample + second[at]!) / 2)];
};

class Mp3Decoder {
  readonly #config: Mp3Config;
  readonly #divide: 1 | 2;
  /** Number of subbands to decode: those that start within the wanted band. */
  readonly #subbands: number;
  readonly #channels: readonly Channel[];
  /** The last bytes of main data, in which the next frame may start. */
  #reservoir = new Uint8Array(0);

  constructor(config: Mp3Config, divide: 1 | 2, phase: 0 | 1) {
    this.#config = config;
    this.#divide = divide;
    this.#subbands = Math.min(32 / divide, Math.ceil((WANTED_HZ_MAX * 64) / config.sampleRateHz));
    this.#channels = Array.from({ length: 2 }, () => ({
      values: new Int32Array(LINES + 4),
      spectrum: new Float32Array(LINES),
      overlap: new Float32Array(LINES),
      synthesis: new Synthesis(divide, phase, this.#subbands),
      slots: new Float32Array(LINES),
    }));
  }

  decode(data: Uint8Array): Float32Array[] {
    const header = parseMp3Header(data);
    if (header?.layer !== 3 || header.sampleRateHz !== this.#config.sampleRateHz) {
      throw new Error('not an MP3 frame of this stream');
    }
    const sideInfoAt = MP3_HEADER_BYTES + (header.hasChecksum ? 2 : 0);
    const side = readSideInfo(data, sideInfoAt, header);
    const mainData = this.#mainData(data.subarray(sideInfoAt + sideInfoBytes(header)), side.reservoirBytes);
    const output = Array.from({ length: header.channels }, () => new Float32Array(header.frames / this.#divide));
    this.#decodeGranules(header, side, mainData, output);
    return withChannels(output, this.#config.channels);
  }

  /** The coded granules of this frame; undefined when their start was lost with an earlier frame. */
  #mainData(ofThisFrame: Uint8Array, reservoirBytes: number): MsbBits | undefined {
    const held = this.#reservoir.length;
    const joined = new Uint8Array(held + ofThisFrame.length);
    joined.set(this.#reservoir);
    joined.set(ofThisFrame, held);
    this.#reservoir = joined.slice(Math.max(0, joined.length - RESERVOIR_BYTES_MAX));
    return reservoirBytes <= held ? new MsbBits(joined, held - reservoirBytes) : undefined;
  }

  #decodeGranules(header: Mp3Header, side: SideInfo, bits: MsbBits | undefined, output: readonly Float32Array[]): void {
    let before: readonly (ScaleFactors | undefined)[] = [];
    for (const [index, granules] of side.granules.entries()) {
      const coded = granules.map((granule, channel) => {
        const shared = side.sharedScaleFactors[channel]!;
        return this.#readChannel(header, granule, channel, bits, shared, before[channel]);
      });
      before = coded.map((one) => one?.scaleFactors);
      const [first, second] = this.#channels;
      const right = coded[1];
      if (first && second && right && coded[0] && (header.isMidSide || header.isIntensity)) {
        joinStereo(header, right.granule, right.layout, right.scaleFactors, first.spectrum, second.spectrum);
      }
      for (const [channel, samples] of output.entries()) {
        const from = (index * LINES) / this.#divide;
        this.#synthesise(this.#channels[channel]!, granules[channel]!, header, samples, from);
      }
    }
  }

  /** Reads one granule of a channel; an unreadable one is silent. */
  #readChannel(
    header: Mp3Header,
    granule: Granule,
    channel: number,
    bits: MsbBits | undefined,
    shared: number,
    before: ScaleFactors | undefined,
  ): Coded | undefined {
    const { values, spectrum } = this.#channels[channel]!;
    if (!bits || bits.bitsLeft < granule.codedBits) {
      spectrum.fill(0);
      return undefined;
    }
    const endBit = bits.position + granule.codedBits;
    const layout = bandLayout(header, granule);
    try {
      const scaleFactors =
        header.version === '1'
          ? readMpeg1ScaleFactors(bits, granule, layout, shared, before)
          : readMpeg2ScaleFactors(bits, granule, layout, header.isIntensity && channel === 1);
      const read = readValues(bits, granule, header, endBit, values);
      // Intensity stereo depends on whether the right channel has content in the high bands.
      const codedLines = header.isIntensity ? read : Math.min(read, (this.#subbands + 1) * SUBBAND_LINES);
      requantise(values, codedLines, granule, layout, scaleFactors, spectrum);
      return { granule, layout, scaleFactors };
    } catch {
      spectrum.fill(0);
      return undefined;
    } finally {
      bits.seek(endBit);
    }
  }

  #synthesise(channel: Channel, granule: Granule, header: Mp3Header, output: Float32Array, from: number): void {
    const { spectrum, slots, overlap, synthesis } = channel;
    const subbands = this.#subbands;
    const isShort = granule.blockType === 2;
    // The lowest subbands of a mixed block are long; at 8 kHz there are more of them.
    const longSubbands = !isShort ? 32 : granule.isMixed ? (header.sampleRateHz === 8000 ? 4 : 2) : 0;
    if (isShort) interleaveWindows(spectrum, bandLayout(header, granule));
    reduceAlias(spectrum, Math.min(longSubbands - 1, subbands, 31));
    for (let subband = 0; subband < subbands; subband++) {
      // The long part of a mixed block uses the window of a long block.
      const blockType = subband < longSubbands ? (isShort ? 0 : granule.blockType) : 2;
      synthesiseSubband(spectrum, subband, blockType, overlap, slots, subbands);
    }
    for (let slot = 0; slot < SUBBAND_LINES; slot++) {
      synthesis.push(slots, slot * subbands, output, from + (slot * 32) / this.#divide);
    }
  }
}
