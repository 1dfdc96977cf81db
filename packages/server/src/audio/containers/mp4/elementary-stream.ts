// Parses the descriptors of ISO/IEC 14496-1: which decoder a stream needs, and the decoder's configuration.

const DESCRIPTOR = { STREAM: 3, DECODER: 4, SPECIFIC: 5 };

export const parseElementaryStream = (data: Uint8Array): { objectType: number; config: Uint8Array } | undefined => {
  const stream = descriptorIn(data, 0, DESCRIPTOR.STREAM);
  if (!stream || stream.length < 3) return undefined;
  const flags = stream[2]!;
  const at = 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + (stream[5] ?? 0) : 0) + (flags & 0x20 ? 2 : 0);
  const decoder = descriptorIn(stream, at, DESCRIPTOR.DECODER);
  if (!decoder || decoder.length < 13) return undefined;
  return {
    objectType: decoder[0]!,
    config: descriptorIn(decoder, 13, DESCRIPTOR.SPECIFIC) ?? new Uint8Array(0),
  };
};

/** The first descriptor with a tag; sizes have seven bits per byte. */
const descriptorIn = (data: Uint8Array, from: number, tag: number): Uint8Array | undefined => {
  for (let at = from; at + 2 <= data.length; ) {
    const found = data[at++];
    let size = 0;
    for (let count = 0; count < 4; count++) {
      const byte = data[at++] ?? 0;
      size = (size << 7) | (byte & 0x7f);
      if (byte < 0x80) break;
    }
    if (found === tag) return data.subarray(at, at + size);
    at += size;
  }
  return undefined;
};
