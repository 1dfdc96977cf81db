// Parses the fmt chunk of a wav file: the codec, its block size and the frames per block.
import { imaAdpcm, MS_COEFFICIENTS, msAdpcm } from '../../codecs/adpcm.ts';
import { CHANNELS_MAX, isReadable, type SampleFormat } from '../../codecs/samples.ts';
import { unsupported } from '../../refusal.ts';
import { type BlockFormat, pcmFormat } from '../blocks.ts';
import { viewOf } from '../read-bytes.ts';

const TAG = { PCM: 1, MS_ADPCM: 2, FLOAT: 3, ALAW: 6, MULAW: 7, IMA_ADPCM: 0x11, MP3: 0x55, EXTENSIBLE: 0xfffe };

/** Unsupported codecs found in wav files, for error messages. */
const NAMES: Readonly<Record<number, string>> = {
  49: 'GSM 6.10',
  69: 'G.726',
  80: 'MPEG layer 2',
  85: 'MP3',
  100: 'G.726',
  255: 'AAC',
  352: 'Windows Media Audio',
  353: 'Windows Media Audio',
  8192: 'AC-3',
};

/** Whether the data of the file is a stream of MP3 frames. */
export const isWavMp3 = (chunk: Uint8Array): boolean => chunk[0] === TAG.MP3 && chunk[1] === 0;

export const parseWavFormat = (chunk: Uint8Array, bigEndian: boolean): BlockFormat => {
  if (chunk.length < 14) throw unsupported('The wav header is too short.');
  const view = viewOf(chunk);
  const little = !bigEndian;
  const u16 = (at: number): number => (at + 2 <= chunk.length ? view.getUint16(at, little) : 0);
  const plainTag = u16(0);
  const channels = u16(2);
  const sampleRateHz = view.getUint32(4, little);
  const declaredBlockBytes = u16(12);
  const bits = u16(14);
  if (channels === 0) throw unsupported('The wav header declares no channels.');
  if (channels > CHANNELS_MAX)
    throw unsupported(`The wav file has ${channels} channels; at most ${CHANNELS_MAX} are supported.`);
  // An extensible header has the actual tag in the first bytes of its GUID.
  const tag = plainTag === TAG.EXTENSIBLE && chunk.length >= 26 ? u16(24) : plainTag;

  if (tag === TAG.IMA_ADPCM || tag === TAG.MS_ADPCM) {
    if (bits !== 4) throw unsupported(`The wav file holds ADPCM of ${bits} bits, which is not supported.`);
    const coefficients = tag === TAG.MS_ADPCM ? msCoefficients(view, little) : [];
    const blocks = tag === TAG.MS_ADPCM ? msAdpcm(channels, coefficients) : imaAdpcm(channels);
    const blockFrames = blocks.frames(declaredBlockBytes);
    if (blockFrames === 0) throw unsupported('The wav header declares an impossible ADPCM block size.');
    return {
      coding:
        tag === TAG.MS_ADPCM
          ? { codec: 'ms-adpcm', sampleRateHz, channels, coefficients }
          : { codec: 'ima-adpcm', sampleRateHz, channels },
      blockBytes: declaredBlockBytes,
      framesIn: (bytes) =>
        Math.floor(bytes / declaredBlockBytes) * blockFrames + blocks.frames(bytes % declaredBlockBytes),
    };
  }

  const format = sampleFormat(tag, bits, declaredBlockBytes / channels, bigEndian);
  if (!format) {
    const name = NAMES[tag];
    throw unsupported(
      name
        ? `The wav file holds ${name} audio, which is not supported; PCM, float, A-law, µ-law and ADPCM are.`
        : `The wav file has an unsupported audio format (format ${tag}, ${bits} bits).`,
    );
  }
  return pcmFormat({ codec: 'pcm', format, sampleRateHz, channels });
};

const sampleFormat = (
  tag: number,
  bits: number,
  blockBytesPerChannel: number,
  bigEndian: boolean,
): SampleFormat | undefined => {
  // The block size gives the sample width, which may exceed the valid bits; some encoders get it wrong.
  const needed = Math.ceil(bits / 8);
  const bytes =
    Number.isInteger(blockBytesPerChannel) && blockBytesPerChannel >= needed && blockBytesPerChannel <= 8
      ? blockBytesPerChannel
      : needed;
  const of = (kind: SampleFormat['kind'], width: number): SampleFormat | undefined => {
    const format = { kind, bytes: width, bigEndian };
    return width > 0 && isReadable(format) ? format : undefined;
  };
  if (tag === TAG.PCM && bits > 0) return of(bytes === 1 ? 'unsigned' : 'signed', bytes);
  if (tag === TAG.FLOAT && (bits === 32 || bits === 64)) return of('float', needed);
  if (tag === TAG.ALAW) return of('alaw', 1);
  if (tag === TAG.MULAW) return of('mulaw', 1);
  return undefined;
};

/** Microsoft ADPCM lists its predictors after the frame count; without a list, the standard ones apply. */
const msCoefficients = (view: DataView, little: boolean): readonly (readonly [number, number])[] => {
  const count = view.byteLength >= 22 ? view.getUint16(20, little) : 0;
  if (count === 0 || view.byteLength < 22 + count * 4) return MS_COEFFICIENTS;
  return Array.from(
    { length: count },
    (_, index) => [view.getInt16(22 + index * 4, little), view.getInt16(24 + index * 4, little)] as const,
  );
};
