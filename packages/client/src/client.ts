// The client of the service, on whatever transport the platform has.
import { LIMITS, PATHS, type SuccessResponse } from '@faircopy/contract';
import { errorFromAnswer, FaircopyError, parseJson } from './error.ts';
import { LiveStream } from './live.ts';
import {
  type FaircopyOptions,
  type LiveStreamOptions,
  MODEL_DEFAULT,
  type StreamOptions,
  type TranscribeOptions,
} from './options.ts';
import { withRetries } from './retry.ts';
import { TranscriptionStream } from './stream.ts';
import type { Transport } from './transport.ts';

const RETRIES_DEFAULT = 2;

/** Random, and to be had in pages without https too. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A whole recording: a Blob or File, or its bytes. */
export type AudioFile = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>;

export class FaircopyClient {
  readonly #transport: Transport;
  readonly #baseUrl: URL;
  readonly #apiKey: string;
  readonly #retries: number;

  constructor({ baseUrl, apiKey, retries = RETRIES_DEFAULT }: FaircopyOptions, transport: Transport) {
    if (!baseUrl) throw new TypeError('baseUrl is missing: where the service is, such as http://localhost:8080.');
    if (!apiKey) throw new TypeError('apiKey is missing: make one with "faircopy keys create".');
    this.#transport = transport;
    this.#baseUrl = new URL(baseUrl);
    if (!this.#baseUrl.pathname.endsWith('/')) this.#baseUrl.pathname += '/';
    this.#apiKey = apiKey;
    this.#retries = retries;
  }

  /** File mode: sends a recording (wav, ogg or webm), resolves to the answer. Rejects with a FaircopyError. */
  async transcribe(file: AudioFile, options: TranscribeOptions = {}): Promise<SuccessResponse> {
    const { model = MODEL_DEFAULT, language, include, vocabulary = [] } = options;
    const { fileName = 'audio', idempotencyKey = newIdempotencyKey(), signal, onProgress } = options;
    const audio = file instanceof Blob ? file : new Blob([file]);
    const url = this.#address(PATHS.transcribe);
    const attempt = async (): Promise<SuccessResponse> => {
      const form = new FormData();
      // First, so that the server can start before the file is through.
      form.append('model', model);
      if (language !== undefined) form.append('language', language);
      if (include && include.length > 0) form.append('include', include.join(','));
      for (const term of vocabulary) form.append('vocabulary', term);
      form.append('audio', audio, fileName);
      const request = { url, apiKey: this.#apiKey, form, idempotencyKey, signal, onProgress };
      const answer = await this.#transport.postForm(request);
      if (answer.status !== 200) throw errorFromAnswer(answer);
      const body = parseJson(answer.body) as SuccessResponse | undefined;
      if (body?.status === 'success') return body;
      throw new FaircopyError('UNEXPECTED_ANSWER', 'The answer is not one of this service.', { status: answer.status });
    };
    return withRetries(attempt, { retries: this.#retries, signal, isIdempotent: true });
  }

  /** Stream mode: connects at once; a handshake refused for a passing reason is tried again. */
  stream(options: StreamOptions = {}): TranscriptionStream {
    const { model = MODEL_DEFAULT, language, include, sampleRate, channels, signal } = options;
    const url = this.#address(PATHS.stream);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('model', model);
    if (sampleRate !== undefined) url.searchParams.set('sample_rate', String(sampleRate));
    if (channels !== undefined) url.searchParams.set('channels', String(channels));
    if (language !== undefined) url.searchParams.set('language', language);
    if (include && include.length > 0) url.searchParams.set('include', include.join(','));
    return new TranscriptionStream({
      signal,
      connect: (listener, gone) =>
        withRetries(() => this.#transport.openSocket({ url, apiKey: this.#apiKey, signal: gone, listener }), {
          retries: this.#retries,
          signal: gone,
        }),
    });
  }

  /** Live mode: events while somebody speaks, and the joined finals at the end. */
  live({ onEvent, interims = true, endpointingMs, ...options }: LiveStreamOptions): LiveStream {
    const { model = MODEL_DEFAULT, language, sampleRate, channels, signal } = options;
    const url = this.#address(PATHS.deepgramListen);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const query = {
      model,
      encoding: 'linear16',
      sample_rate: sampleRate ?? LIMITS.sampleRateHzDefault,
      channels: channels ?? 1,
      smart_format: true,
      vad_events: true,
      interim_results: interims,
      endpointing: endpointingMs,
      language,
    };
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return new LiveStream({
      onEvent,
      signal,
      connect: (listener, gone) =>
        withRetries(() => this.#transport.openSocket({ url, apiKey: this.#apiKey, signal: gone, listener }), {
          retries: this.#retries,
          signal: gone,
        }),
    });
  }

  /** A path of the interface below the base address, which may have a path of its own. */
  #address(path: string): URL {
    return new URL(path.slice(1), this.#baseUrl);
  }
}
