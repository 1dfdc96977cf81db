// Reads the header of a wav file from a pipe: its format, and where its audio begins.

export interface PcmFormat {
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
}

export interface WavHeader {
  readonly format: PcmFormat;
  readonly dataAt: number;
}

/** Audio that cannot be streamed; the message is for the user. */
export class FormatFault extends Error {
  readonly code = 'FORMAT';
}

export const WAV_HEADER_BYTES_MAX = 64 * 1024;

const PCM = 1;
const EXTENSIBLE = 0xfffe;

/** `none` if it is not a wav file, `incomplete` if more bytes are needed to decide. */
export const readWavHeader = (bytes: Buffer): WavHeader | 'none' | 'incomplete' => {
  const magic = Buffer.from('RIFF');
  if (!magic.subarray(0, bytes.length).equals(bytes.subarray(0, magic.length))) return 'none';
  if (bytes.length < 12) return 'incomplete';
  if (bytes.toString('latin1', 8, 12) !== 'WAVE') return 'none';
  let format: PcmFormat | null = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const body = at + 8;
    if (id === 'data') {
      if (!format) throw new FormatFault('The wav file has no format chunk.');
      return { format, dataAt: body };
    }
    if (id === 'fmt ') {
      if (bytes.length < body + 16) return 'incomplete';
      format = readFormat(bytes.subarray(body));
    }
    at = body + size + (size % 2);
  }
  return 'incomplete';
};

const readFormat = (fmt: Buffer): PcmFormat => {
  const tag = fmt.readUInt16LE(0);
  const channels = fmt.readUInt16LE(2);
  const isPcm16 = (tag === PCM || tag === EXTENSIBLE) && fmt.readUInt16LE(14) === 16;
  if (!isPcm16 || (channels !== 1 && channels !== 2)) {
    throw new FormatFault(
      'Only wav files with 16-bit samples, mono or stereo, can be streamed. Use: faircopy transcribe FILE',
    );
  }
  return { sampleRateHz: fmt.readUInt32LE(4), channels };
};
