// Captions of real-time speech: from the live endpoint, and from a client that repeatedly posts the last seconds.
import { setTimeout as later } from 'node:timers/promises';
import type { ModelId } from '@faircopy/contract';
import { WebSocket } from 'ws';
import { clientOf } from '../clients.ts';
import { BYTES_PER_SECOND, wavOf } from '../pcm-speech.ts';
import type { ServerProcess } from '../server-process.ts';
import { FRAME_MS, framesOf } from '../stream-latency.ts';
import type { Shown, ShownWord } from './shown-words.ts';

export interface Captions {
  readonly shown: readonly Shown[];
  /** The final caption text. */
  readonly text: string;
  /** For each final, the time from when its endpoint could be known until it arrived. */
  readonly finalMs: readonly number[];
}

export interface CaptionRequest {
  readonly model: ModelId;
  readonly interims: boolean;
  readonly endpointingMs: number;
  /** Whether to format text for readers; otherwise it is as recognised. */
  readonly smartFormat: boolean;
}

interface Result {
  readonly type: string;
  readonly start: number;
  readonly duration: number;
  readonly is_final: boolean;
  readonly speech_final: boolean;
  readonly channel: {
    readonly alternatives: readonly [
      {
        readonly transcript: string;
        readonly words: readonly { punctuated_word: string; start: number; end: number }[];
      },
    ];
  };
}

const wordsOf = ({ channel }: Result): ShownWord[] =>
  channel.alternatives[0].words.map(({ punctuated_word: text, start }) => ({ text, startMs: start * 1000 }));

/** Sends frames in real time, or as fast as they are accepted. */
export const sendFrames = async (
  audio: Buffer,
  pace: 'real time' | 'at once',
  send: (frame: Buffer) => Promise<void>,
  frameMs = FRAME_MS,
): Promise<void> => {
  const startMs = performance.now();
  let sentMs = frameMs;
  for (const frame of framesOf(audio, frameMs)) {
    // A frame can be sent when its last sample has been spoken.
    if (pace === 'real time') await later(Math.max(0, startMs + sentMs - performance.now()));
    await send(frame);
    sentMs += frameMs;
  }
};

export const liveCaptions = async (
  { url, key }: ServerProcess,
  audio: Buffer,
  request: CaptionRequest,
  pace: 'real time' | 'at once' = 'real time',
): Promise<Captions> => {
  const address = new URL('/v1/listen', url.replace('http', 'ws'));
  const { model, interims, endpointingMs, smartFormat } = request;
  for (const [name, value] of Object.entries({
    model,
    encoding: 'linear16',
    sample_rate: BYTES_PER_SECOND / 2,
    interim_results: interims,
    endpointing: endpointingMs,
    smart_format: smartFormat,
  }))
    address.searchParams.set(name, String(value));
  const socket = new WebSocket(address, { headers: { authorization: `Token ${key}` } });
  const shown: Shown[] = [];
  const finalMs: number[] = [];
  const texts: string[] = [];
  let settled: ShownWord[] = [];
  let startMs = 0;
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', (code) => (code === 1000 ? resolve() : reject(new Error(`closed with ${code}`))));
    socket.on('error', reject);
  });
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Result;
    if (message.type !== 'Results') return;
    const atMs = performance.now() - startMs;
    const words = wordsOf(message);
    shown.push({ atMs, words: [...settled, ...words], isFinal: message.is_final });
    if (!message.is_final) return;
    settled = [...settled, ...words];
    if (words.length > 0) texts.push(message.channel.alternatives[0].transcript);
    const lastWord = message.channel.alternatives[0].words.at(-1);
    if (message.speech_final && lastWord) {
      // The endpoint is the time at which the silence has lasted long enough.
      const endpointMs = (message.start + message.duration) * 1000 + HEAD_START_MS;
      finalMs.push(atMs - endpointMs);
    }
  });
  await new Promise((resolve) => socket.once('open', resolve));
  startMs = performance.now();
  await sendFrames(audio, pace, (frame) => new Promise((resolve) => socket.send(frame, () => resolve())));
  socket.send(JSON.stringify({ type: 'CloseStream' }));
  await closed;
  return { shown, text: texts.join(' '), finalMs };
};

/** The span of a final ends this long before its endpoint is known. */
const HEAD_START_MS = 64;

const NAIVE_EVERY_MS = 500;
const NAIVE_SECONDS = 5;

/** A naive client: sends the last seconds to file mode every half second. */
export const naiveCaptions = async (server: ServerProcess, audio: Buffer, model: ModelId): Promise<Captions> => {
  const client = clientOf(server);
  const shown: Shown[] = [];
  const startMs = performance.now();
  let text = '';
  const lengthMs = (1000 * audio.length) / BYTES_PER_SECOND;
  for (let atMs = NAIVE_EVERY_MS; atMs <= lengthMs; atMs = performance.now() - startMs + NAIVE_EVERY_MS) {
    await later(Math.max(0, startMs + atMs - performance.now()));
    const endByte = 2 * Math.floor((atMs / 1000) * (BYTES_PER_SECOND / 2));
    const fromByte = Math.max(0, endByte - NAIVE_SECONDS * BYTES_PER_SECOND);
    const fromMs = (1000 * fromByte) / BYTES_PER_SECOND;
    const { result, detail } = await client.transcribe(wavOf(audio.subarray(fromByte, endByte)), {
      model,
      include: ['words'],
    });
    const words = (detail?.words ?? []).map((word) => ({
      text: word.text,
      startMs: fromMs + word.start_seconds * 1000,
    }));
    // Words that have left the window stay as they were shown.
    const before = shown.at(-1)?.words.filter((word) => word.startMs < fromMs) ?? [];
    shown.push({ atMs: performance.now() - startMs, words: [...before, ...words], isFinal: false });
    text = result.transcript;
  }
  return { shown, text, finalMs: [] };
};
