// The wire format of a window: header length, JSON header, and audio as 16-bit samples.
import { endianness } from 'node:os';
import type { Term } from '@faircopy/contract';
import type { SpeechWindow } from '../speech/recogniser.ts';
import {
  type Answer,
  type GatewayState,
  RefusedMessage,
  type Release,
  readGatewayState,
  readToGateway,
  readToWorker,
  STATE_BYTES_MAX,
  type ToGateway,
  type WindowHeader,
  type WorkerState,
  write,
} from './messages.ts';

/** 30 s, the longest window of the recogniser port. */
const SAMPLES_MAX = 480_000;
const LENGTH_BYTES = 4;
/** Size of the longest window, which the NATS server must accept. */
export const WINDOW_BYTES_MAX = LENGTH_BYTES + 64 * 1024 + 2 * SAMPLES_MAX;

const PCM_SCALE = 32_768;
const isLittleEndian = endianness() === 'LE';

export type WindowHead = Omit<WindowHeader, 'kind' | 'window'>;

export interface SentWindow {
  readonly head: WindowHead;
  readonly window: SpeechWindow;
}

export const writeWindow = (head: WindowHead, window: SpeechWindow): Uint8Array => {
  const { samples, vocabulary, ...rest } = window;
  const header = Buffer.from(
    JSON.stringify({ ...head, kind: 'window', window: { ...rest, ...writtenTerms(vocabulary) } }),
  );
  // Align the audio to an even offset, so that it can be written as Int16.
  const audioAt = LENGTH_BYTES + header.length + (header.length % 2);
  const bytes = Buffer.from(new ArrayBuffer(audioAt + 2 * samples.length));
  bytes.writeUInt32LE(header.length, 0);
  header.copy(bytes, LENGTH_BYTES);
  const pcm = new Int16Array(bytes.buffer, audioAt, samples.length);
  for (let at = 0; at < samples.length; at++) {
    const value = samples[at]! * PCM_SCALE;
    // Rounds like Math.round in half the time: this is most of a window's cost in the gateway.
    pcm[at] = value >= 32_767 ? 32_767 : value <= -32_768 ? -32_768 : ((value + 32_768.5) | 0) - 32_768;
  }
  if (!isLittleEndian) bytes.subarray(audioAt).swap16();
  return bytes;
};

/** Reads a window, a release, or the state of a gateway. */
export const readWorkerMessage = (bytes: Uint8Array): SentWindow | Release | GatewayState => {
  // Messages without audio are JSON text. In a window, byte 3 is the top byte of the header length, and always 0.
  if (bytes[0] === 0x7b && bytes[3] !== 0) {
    const message = readToWorker(bytes);
    if (message.kind !== 'window') return message;
    throw new RefusedMessage('invalid', 'it is a window without audio');
  }
  if (bytes.length > WINDOW_BYTES_MAX) throw new RefusedMessage('size', `it has ${bytes.length} bytes`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = view.length >= LENGTH_BYTES ? view.readUInt32LE(0) : Number.POSITIVE_INFINITY;
  const audioAt = LENGTH_BYTES + headerBytes + (headerBytes % 2);
  if (headerBytes > STATE_BYTES_MAX || audioAt >= view.length || (view.length - audioAt) % 2 !== 0)
    throw new RefusedMessage('size', 'its parts have inconsistent lengths');
  const message = readToWorker(view.subarray(LENGTH_BYTES, LENGTH_BYTES + headerBytes));
  if (message.kind !== 'window') throw new RefusedMessage('invalid', `it is a ${message.kind} with audio`);
  const { window, kind: _, ...head } = message;
  const { vocabulary, termDetails = [], ...rest } = window;
  return {
    head,
    window: { ...rest, vocabulary: readTerms(vocabulary, termDetails), samples: samplesOf(view.subarray(audioAt)) },
  };
};

type WrittenTerms = Pick<WindowHeader['window'], 'vocabulary' | 'termDetails'>;

/** Texts, with other details in a separate list, which workers of the previous version ignore. */
const writtenTerms = (terms: readonly Term[]): WrittenTerms => {
  const termDetails = terms.flatMap(({ text: _, soundsLike, ...details }, at) =>
    soundsLike || details.weight !== undefined
      ? { at, ...details, ...(soundsLike && { soundsLike: [...soundsLike] }) }
      : [],
  );
  return { vocabulary: terms.map(({ text }) => text), ...(termDetails.length > 0 && { termDetails }) };
};

const readTerms = (texts: readonly string[], details: NonNullable<WrittenTerms['termDetails']>): Term[] => {
  const terms: Term[] = texts.map((text) => ({ text }));
  for (const { at, ...more } of details) if (terms[at]) terms[at] = { ...terms[at], ...more };
  return terms;
};

const samplesOf = (audio: Buffer): Float32Array => {
  const samples = new Float32Array(audio.length / 2);
  // Copy to an aligned buffer first.
  const pcm = new Int16Array(samples.length);
  Buffer.from(pcm.buffer).set(audio);
  if (!isLittleEndian) Buffer.from(pcm.buffer).swap16();
  for (let at = 0; at < samples.length; at++) samples[at] = pcm[at]! / PCM_SCALE;
  return samples;
};

export interface Codec {
  write(message: GatewayState | WorkerState | Release | Answer): Uint8Array;
  writeWindow(head: WindowHead, window: SpeechWindow): Uint8Array;
  readGatewayState(bytes: Uint8Array): GatewayState;
  readToGateway(bytes: Uint8Array): ToGateway;
  readWorkerMessage(bytes: Uint8Array): SentWindow | Release | GatewayState;
  /** Start of an unreadable message as text, to look for lease ids in it. */
  beginningOf(bytes: Uint8Array): string;
}

/** Encodes messages for NATS. */
export const wireCodec: Codec = {
  write,
  writeWindow,
  readGatewayState,
  readToGateway,
  readWorkerMessage,
  beginningOf: (bytes) => Buffer.from(bytes.subarray(0, 4_096)).toString('latin1'),
};
