// Forms and sound for tests, made in memory.
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';

export interface FormPart {
  readonly name: string;
  readonly value: string | Buffer;
  readonly filename?: string;
}

export const BOUNDARY = 'faircopy-test-boundary';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const headOf = ({ name, filename }: FormPart): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`;

export const form = (...parts: readonly FormPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(headOf(part)), Buffer.from(part.value as string), Buffer.from('\r\n')]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

/** The head of a form up to the first byte of the file, for bodies that are sent piece by piece. */
export const formHead = (...parts: readonly FormPart[]): Buffer =>
  form(...parts).subarray(0, -Buffer.byteLength(`\r\n--${BOUNDARY}--\r\n`));

export const field = (name: string, value: string): FormPart => ({ name, value });
export const file = (value: Buffer, name = 'audio'): FormPart => ({ name, value, filename: 'clip.wav' });
export const MODEL = field('model', 'svc-1.0-lite');

/** A 16 kHz mono wav file of 16-bit samples. */
export const wavOf = (samples: Float32Array): Buffer => Buffer.from(writeWav(pcm16Bytes(samples)).buffer);

/** Two channels as interleaved samples, as long as the shorter one. */
export const interleaved = (left: Float32Array, right: Float32Array): Float32Array =>
  Float32Array.from({ length: 2 * Math.min(left.length, right.length) }, (_, at) => (at % 2 ? right : left)[at >> 1]!);

/** A hum of this many seconds. */
export const hum = (seconds: number): Float32Array => {
  const samples = new Float32Array(Math.round(seconds * 16_000));
  for (let at = 0; at < samples.length; at++) samples[at] = 0.25 * Math.sin(at / 12);
  return samples;
};
