// Decodes a whole file and returns its samples.
import { after } from 'node:test';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { joinSamples } from '../../src/audio/join-samples.ts';
import type { AudioFormats, UploadDecoder } from '../../src/audio/upload-decoding.ts';

/** Shared by the tests of a process. */
export const decoding = createUploadDecoding();
after(() => decoding.close());

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
  bytes: Uint8Array,
  {
    maxDurationSeconds = 300,
    pieceBytes = bytes.length || 1,
    formats = 'contract',
    decoding: used = decoding,
  }: {
    maxDurationSeconds?: number;
    pieceBytes?: number;
    formats?: AudioFormats;
    decoding?: typeof decoding;
  } = {},
): Promise<Decoded> => drain(used.open({ maxDurationSeconds, formats }), bytes, pieceBytes);

/** The fault of a file that is refused, for `assert.rejects`. */
export const refused = (sentence: RegExp) => ({ code: 'AUDIO_FORMAT_UNSUPPORTED', message: sentence });
