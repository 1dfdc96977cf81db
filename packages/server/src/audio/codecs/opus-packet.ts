// Parses Opus headers and packet durations without decoding (RFC 6716 section 3, RFC 7845 section 5).

export interface OpusHead {
  readonly channels: number;
  /** Frames at 48 kHz to drop at the start. */
  readonly preSkip: number;
  readonly outputGain: number;
  readonly streamCount: number;
  readonly coupledStreamCount: number;
  readonly channelMapping: readonly number[];
}

const MAGIC = 'OpusHead';

export const isOpusHead = (packet: Uint8Array): boolean =>
  packet.length >= 19 && MAGIC.split('').every((letter, at) => packet[at] === letter.charCodeAt(0));

/** The header of a plain mono or stereo stream, for files without one. */
export const plainOpusHead = (channels: number, preSkip: number): OpusHead => ({
  channels,
  preSkip,
  outputGain: 1,
  streamCount: 1,
  coupledStreamCount: channels - 1,
  channelMapping: channels === 1 ? [0] : [0, 1],
});

/** Undefined when the header is invalid or of a later major version. */
export const parseOpusHead = (packet: Uint8Array): OpusHead | undefined => {
  if (!isOpusHead(packet)) return undefined;
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const channels = view.getUint8(9);
  const mappingFamily = view.getUint8(18);
  if (view.getUint8(8) >= 16 || channels === 0) return undefined;
  const head = {
    channels,
    preSkip: view.getUint16(10, true),
    outputGain: 10 ** (view.getInt16(16, true) / (20 * 256)),
  };
  if (mappingFamily === 0) return channels > 2 ? undefined : { ...plainOpusHead(channels, 0), ...head };
  if (packet.length < 21 + channels) return undefined;
  const streamCount = view.getUint8(19);
  const coupledStreamCount = view.getUint8(20);
  const channelMapping = [...packet.subarray(21, 21 + channels)];
  const decodedChannels = streamCount + coupledStreamCount;
  if (streamCount === 0 || coupledStreamCount > streamCount || decodedChannels > 255) return undefined;
  if (channelMapping.some((index) => index !== 255 && index >= decodedChannels)) return undefined;
  return { ...head, streamCount, coupledStreamCount, channelMapping };
};

/** Frames at 48 kHz of one coded frame, by configuration number. */
const codedFrameLength = (configuration: number): number => {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration & 3]!;
  if (configuration < 16) return [480, 960][configuration & 1]!;
  return [120, 240, 480, 960][configuration & 3]!;
};

/** 120 ms, the longest packet allowed. */
const PACKET_FRAMES_MAX = 5760;

/** Frames at 48 kHz that the packet decodes to; 0 when it is invalid. */
export const opusPacketFrames = (packet: Uint8Array): number => {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const countCode = toc & 3;
  const count = countCode === 0 ? 1 : countCode < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
  const frames = count * codedFrameLength(toc >> 3);
  return frames > PACKET_FRAMES_MAX ? 0 : frames;
};
