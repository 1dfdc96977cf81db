// Runs clients as their users do: two phrases, the second one sent when the text of the first has arrived.
import { LiveTranscriptionEvents } from 'deepgram-4';
import { WebSocket } from 'ws';
import { client4, client5 } from '../deepgram/clients.ts';
import { REALTIME_CLIENTS } from '../openai/clients.ts';
import { PCM_16K, session } from '../realtime/realtime.ts';
import { phrasesAt } from './recording.ts';

export interface Driver {
  readonly client: string;
  readonly rateHz: number;
  readonly isTls?: boolean;
  /** Sends both phrases and ends the connection. */
  run(port: number, key: string): Promise<void>;
}

const FRAME_BYTES = 3_200;
const framesOf = (bytes: Buffer, frameBytes = FRAME_BYTES): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / frameBytes) }, (_, at) =>
    bytes.subarray(at * frameBytes, (at + 1) * frameBytes),
  );

/** Waits for messages that meet a condition, one condition after the other. */
class Heard {
  #waiting: { readonly holds: (message: never) => boolean; readonly resolve: () => void } | undefined;

  take(message: unknown): void {
    if (!this.#waiting?.holds(message as never)) return;
    this.#waiting.resolve();
    this.#waiting = undefined;
  }

  until(holds: (message: never) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { holds, resolve };
    });
  }
}

const isUtteranceEnd = ({ type }: { type: string }) => type === 'UtteranceEnd';
const isEndOfTurn = ({ event }: { event?: string }) => event === 'EndOfTurn';
const isEndpoint = ({ speech_final }: { speech_final?: boolean }) => speech_final === true;
const isCompleted = ({ type }: { type: string }) => type.endsWith('transcription.completed');

const RAW = { encoding: 'linear16', sample_rate: 16_000 } as const;

const deepgram5 = (version: 'v1' | 'v2', options: object, isOver: (message: never) => boolean): Driver => ({
  client: `@deepgram/sdk 5, ${version}`,
  rateHz: 16_000,
  run: async (port, key) => {
    const client = client5({ url: `http://127.0.0.1:${port}`, key });
    const socket = await client.listen[version].connect({ ...RAW, ...options } as never);
    const heard = new Heard();
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('message', (message: unknown) => heard.take(message));
    socket.connect();
    await socket.waitForOpen();
    for (const phrase of phrasesAt(16_000)) {
      const over = heard.until(isOver);
      for (const frame of framesOf(phrase)) socket.sendMedia(frame as never);
      await over;
    }
    socket.sendCloseStream({ type: 'CloseStream' } as never);
    await closed;
  },
});

const deepgram4: Driver = {
  client: '@deepgram/sdk 4, v1',
  rateHz: 16_000,
  run: async (port, key) => {
    const client = client4({ url: `http://127.0.0.1:${port}`, key });
    const live = client.listen.live({ model: 'nova-2', ...RAW, interim_results: true, smart_format: true });
    const heard = new Heard();
    const closed = new Promise((resolve) => live.on(LiveTranscriptionEvents.Close, resolve));
    live.on(LiveTranscriptionEvents.Transcript, (result: unknown) => heard.take(result));
    await new Promise((resolve) => live.on(LiveTranscriptionEvents.Open, resolve));
    live.keepAlive();
    for (const phrase of phrasesAt(16_000)) {
      const over = heard.until(isEndpoint);
      for (const frame of framesOf(phrase)) live.send(new Uint8Array(frame).buffer);
      await over;
    }
    live.finalize();
    live.requestClose();
    await closed;
  },
};

const UPDATE = session({
  ...PCM_16K,
  transcription: { model: 'gpt-4o-transcribe' },
  turn_detection: { type: 'server_vad', silence_duration_ms: 400 },
});
const append = (frame: Buffer) => ({ type: 'input_audio_buffer.append', audio: frame.toString('base64') });

const openai = (version: '6' | '7'): Driver => ({
  client: `openai ${version}`,
  rateHz: 16_000,
  isTls: true,
  run: async (port, key) => {
    const client = REALTIME_CLIENTS[version](port, key);
    const heard = new Heard();
    client.on('event', (event) => heard.take(event));
    await heard.until(({ type }: { type: string }) => type === 'session.created');
    const updated = heard.until(({ type }: { type: string }) => type === 'session.updated');
    client.send(UPDATE as never);
    await updated;
    for (const phrase of phrasesAt(16_000)) {
      const over = heard.until(isCompleted);
      for (const frame of framesOf(phrase)) client.send(append(frame) as never);
      await over;
    }
    client.close();
  },
});

/** Pipecat is in Python: this sends what its source sends. */
const pipecat: Driver = {
  client: 'pipecat-ai, DeepgramSTTService',
  rateHz: 16_000,
  run: async (port, key) => {
    const path =
      '/v1/listen?model=nova-3-general&language=en&encoding=linear16&sample_rate=16000&channels=1' +
      '&interim_results=true&smart_format=false&punctuate=true&profanity_filter=true&vad_events=false';
    const headers = { authorization: `Token ${key}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    const heard = new Heard();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data) => heard.take(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'KeepAlive' }));
    for (const phrase of phrasesAt(16_000)) {
      const over = heard.until(isEndpoint);
      for (const frame of framesOf(phrase, 640)) socket.send(frame);
      await over;
      socket.send(JSON.stringify({ type: 'Finalize' }));
    }
    socket.send(JSON.stringify({ type: 'CloseStream' }));
    await closed;
  },
};

const FLUX = { model: 'flux-general-en', eot_threshold: 0.8 };
const LISTEN = { model: 'nova-3', interim_results: true, utterance_end_ms: 1_000, vad_events: true };

export const DRIVERS: readonly Driver[] = [
  deepgram4,
  deepgram5('v1', LISTEN, isUtteranceEnd),
  deepgram5('v2', FLUX, isEndOfTurn),
  openai('6'),
  openai('7'),
  pipecat,
];
