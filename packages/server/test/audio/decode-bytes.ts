// Decodes a whole file and returns its samples.

import { joinSamples } from '../../src/audio/join-samples.ts';
import type { AudioFormats, UploadDecoder, UploadDecoding } from '../../src/audio/upload-decoding.ts';

export interface Decoded {
  readonly samples: Float32Array;
  readonly durationSeconds: number;
}

/** Writes in chunks of one size while reading; rejects with the Fault, if any. */
export const drain = async (decoder: UploadDecoder, bytes: Uint8Array, pieceBytes = bytes.length): Promise<Decoded> => {
  const writing = (async () => {
    for (let at = 0; at < bytes.length; at += pieceBytes) await decoder.write(bytes.subarray(at, at + pieceBytes));
    decoder.end();
  })();
  const parts: Float32Array[] = [];
  for await (const samples of decoder) parts.push(samples);
  await writing;
  return { samples: joinSamples(parts), durationSeconds: decoder.durationSeconds };
};

export const decodeBytes = (
  decoding: UploadDecoding,
  bytes: Uint8Array,
  {
    maxDurationSeconds = 300,
    pieceBytes = bytes.length || 1,
    formats = 'contract',
  }: { maxDurationSeconds?: number; pieceBytes?: number; formats?: AudioFormats } = {},
): Promise<Decoded> => drain(decoding.open({ maxDurationSeconds, formats }), bytes, pieceBytes);
