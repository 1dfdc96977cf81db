// Decodes IMA and Microsoft ADPCM as found in wav files: each block is independent and starts with its predictors.

export interface AdpcmBlocks {
  /** Frames in a block of this size; 0 when it is too short for its header. */
  frames(blockBytes: number): number;
  decode(block: Uint8Array): Float32Array[];
}

const clamp16 = (value: number): number => Math.max(-32_768, Math.min(32_767, value));

/** Step sizes of the IMA reference algorithm. */
const IMA_STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
  130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
  1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484,
  7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];
const IMA_INDEX_CHANGE = [-1, -1, -1, -1, 2, 4, 6, 8];

const imaChannel = (view: DataView, channel: number, channels: number, samples: Float32Array): void => {
  let predictor = view.getInt16(channel * 4, true);
  let index = Math.min(88, view.getUint8(channel * 4 + 2));
  samples[0] = predictor / 32_768;
  for (let frame = 1; frame < samples.length; frame++) {
    // Data comes in groups of eight nibbles (four bytes) per channel, low nibble first.
    const nibbleAt = frame - 1;
    const group = nibbleAt >> 3;
    const within = nibbleAt & 7;
    const byte = view.getUint8(4 * (channels + group * channels + channel) + (within >> 1));
    const nibble = within & 1 ? byte >> 4 : byte & 15;
    const step = IMA_STEPS[index]!;
    const size = (step >> 3) + (nibble & 1 ? step >> 2 : 0) + (nibble & 2 ? step >> 1 : 0) + (nibble & 4 ? step : 0);
    predictor = clamp16(nibble & 8 ? predictor - size : predictor + size);
    index = Math.max(0, Math.min(88, index + IMA_INDEX_CHANGE[nibble & 7]!));
    samples[frame] = predictor / 32_768;
  }
};

export const imaAdpcm = (channels: number): AdpcmBlocks => {
  const frames = (blockBytes: number): number =>
    blockBytes < 4 * channels ? 0 : 1 + 8 * Math.floor((blockBytes - 4 * channels) / (4 * channels));
  return {
    frames,
    decode(block) {
      const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
      return Array.from({ length: channels }, (_, channel) => {
        const samples = new Float32Array(frames(block.length));
        if (samples.length > 0) imaChannel(view, channel, channels, samples);
        return samples;
      });
    },
  };
};

const MS_ADAPTATION = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];

/** Standard predictors of Microsoft ADPCM. */
export const MS_COEFFICIENTS: readonly (readonly [number, number])[] = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
];

export const msAdpcm = (channels: number, coefficients: readonly (readonly [number, number])[]): AdpcmBlocks => {
  const frames = (blockBytes: number): number =>
    blockBytes < 7 * channels ? 0 : 2 + Math.floor(((blockBytes - 7 * channels) * 2) / channels);
  const decodeChannel = (view: DataView, channel: number, samples: Float32Array): void => {
    const [gain1, gain2] = coefficients[view.getUint8(channel)] ?? coefficients[0] ?? [256, 0];
    let delta = view.getInt16(channels + 2 * channel, true);
    let last = view.getInt16(channels * 3 + 2 * channel, true);
    let beforeLast = view.getInt16(channels * 5 + 2 * channel, true);
    samples[0] = beforeLast / 32_768;
    samples[1] = last / 32_768;
    for (let frame = 2; frame < samples.length; frame++) {
      // Nibbles alternate between the channels, high nibble first.
      const nibbleAt = (frame - 2) * channels + channel;
      const byte = view.getUint8(7 * channels + (nibbleAt >> 1));
      const nibble = nibbleAt & 1 ? byte & 15 : byte >> 4;
      const signed = nibble < 8 ? nibble : nibble - 16;
      const next = clamp16(((last * gain1 + beforeLast * gain2) >> 8) + signed * delta);
      delta = Math.max(16, Math.min(0xff_ff_ff, (MS_ADAPTATION[nibble]! * delta) >> 8));
      beforeLast = last;
      last = next;
      samples[frame] = next / 32_768;
    }
  };
  return {
    frames,
    decode(block) {
      const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
      return Array.from({ length: channels }, (_, channel) => {
        const samples = new Float32Array(frames(block.length));
        if (samples.length > 0) decodeChannel(view, channel, samples);
        return samples;
      });
    },
  };
};
