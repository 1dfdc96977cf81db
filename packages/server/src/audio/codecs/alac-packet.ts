// Reads the Apple Lossless configuration and the header bits of a packet, without decoding.

export interface AlacConfig {
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Frames per packet, unless the packet declares another number. */
  readonly packetFrames: number;
  /** Initial mean, adaptation speed and bit limit of the adaptive Golomb code. */
  readonly codeMean: number;
  readonly codeSpeed: number;
  readonly codeBitsMax: number;
}

const CONFIG_BYTES = 24;
/** Encoders write 4096. */
const PACKET_FRAMES_MAX = 16_384;

/** Undefined when the numbers are out of bounds. */
export const parseAlacConfig = (data: Uint8Array): AlacConfig | undefined => {
  if (data.length < CONFIG_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const config = {
    packetFrames: view.getUint32(0),
    bitsPerSample: data[5]!,
    codeSpeed: data[6]!,
    codeMean: data[7]!,
    codeBitsMax: data[8]!,
    channels: data[9]!,
    sampleRateHz: view.getUint32(20),
  };
  const isSound =
    config.packetFrames > 0 &&
    config.packetFrames <= PACKET_FRAMES_MAX &&
    [16, 20, 24, 32].includes(config.bitsPerSample) &&
    config.codeBitsMax > 0 &&
    config.codeBitsMax <= 16 &&
    config.channels > 0 &&
    config.channels <= 8;
  return isSound ? config : undefined;
};

/** Frames the packet decodes to; 0 when it is not a valid packet. */
export const alacPacketFrames = (data: Uint8Array, { packetFrames }: AlacConfig): number => {
  if (data.length < 7 || data[0]! >> 5 === 7) return 0;
  // Kind and number of the element, twelve unused bits, then a flag: the packet declares its own length.
  const isPartial = (data[2]! & 0x10) !== 0;
  if (!isPartial) return packetFrames;
  // Three more bits precede that length, which has 32 bits.
  const frames =
    (data[2]! & 1) * 2 ** 31 + data[3]! * 2 ** 23 + data[4]! * 2 ** 15 + data[5]! * 2 ** 7 + (data[6]! >> 1);
  return frames <= packetFrames ? frames : 0;
};
