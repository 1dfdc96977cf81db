// The client, independent of the platform's transport.
import type { SuccessResponse } from '@faircopy/contract';
import { LIMITS, PATHS } from '@faircopy/contract/values';
import type { StreamParts } from './audio-stream.ts';
import { errorFromAnswer, FaircopyError, parseJson } from './error.ts';
import { LiveStream } from './live.ts';
import {
  type FaircopyOptions,
  type LiveStreamOptions,
  MODEL_DEFAULT,
  type StreamOptions,
  speakerFields,
  type TranscribeOptions,
} from './options.ts';
import { withRetries } from './retry.ts';
import { TranscriptionStream } from './stream.ts';
import type { Transport } from './transport/transport.ts';
import { Voices } from './voices.ts';

const RETRIES_DEFAULT = 2;

/** `crypto.randomUUID` is missing on pages served without https. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A whole recording: a Blob or File, or its bytes. */
export type AudioFile = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>;

export class FaircopyClient {
  readonly #transport: Transport;
  readonly #baseUrl: URL;
  readonly #apiKey: string;
  readonly #retries: number;
  /** The account's enrolled voices, if known voices are enabled on the server. */
  readonly voices: Voices;

  constructor({ baseUrl, apiKey, retries = RETRIES_DEFAULT }: FaircopyOptions, transport: Transport) {
    if (!baseUrl) throw new TypeError('baseUrl is missing: the address of the service, such as http://localhost:8080.');
    if (!apiKey) throw new TypeError('apiKey is missing: create one with "faircopy keys create".');
    this.#transport = transport;
    this.#baseUrl = new URL(baseUrl);
    if (!this.#baseUrl.pathname.endsWith('/')) this.#baseUrl.pathname += '/';
    this.#apiKey = apiKey;
    this.#retries = retries;
    this.voices = new Voices({ transport, apiKey, urlOf: (path) => this.#url(path), newIdempotencyKey });
  }

  /** File mode: sends a recording (wav, ogg or webm) and resolves to the answer. Rejects with a FaircopyError. */
  async transcribe(file: AudioFile, options: TranscribeOptions = {}): Promise<SuccessResponse> {
    const { model = MODEL_DEFAULT, language, include, vocabulary = [] } = options;
    const { fileName = 'audio', idempotencyKey = newIdempotencyKey(), signal, onProgress } = options;
    const audio = file instanceof Blob ? file : new Blob([file]);
    const url = this.#url(PATHS.transcribe);
    const attempt = async (): Promise<SuccessResponse> => {
      const form = new FormData();
      // Options go first, so that the server can start before the whole file has arrived.
      form.append('model', model);
      if (language !== undefined) form.append('language', language);
      if (options.languages) form.append('languages', options.languages.join(','));
      if (include && include.length > 0) form.append('include', include.join(','));
      if (options.redact) form.append('redact', options.redact.join(','));
      for (const term of vocabulary) form.append('vocabulary', term);
      for (const tag of options.tags ?? []) form.append('tag', tag);
      for (const [name, value] of Object.entries(speakerFields(options.speakers))) form.append(name, value);
      if (options.channelNames) form.append('channel_names', options.channelNames.join(','));
      form.append('audio', audio, fileName);
      const request = { url, apiKey: this.#apiKey, form, idempotencyKey, signal, onProgress };
      const answer = await this.#transport.postForm(request);
      if (answer.status !== 200) throw errorFromAnswer(answer);
      const body = parseJson(answer.body) as SuccessResponse | undefined;
      if (body?.status === 'success') return body;
      throw new FaircopyError('UNEXPECTED_ANSWER', 'The answer is not from this service.', { status: answer.status });
    };
    return withRetries(attempt, { retries: this.#retries, signal, isIdempotent: true });
  }

  /** Stream mode: connects immediately. A handshake refused with a retryable error is retried. */
  stream(options: StreamOptions = {}): TranscriptionStream {
    const { model = MODEL_DEFAULT, language, include, sampleRate, channels, signal, turns } = options;
    const query = {
      model,
      sample_rate: sampleRate,
      channels,
      language,
      languages: options.languages?.join(','),
      include: include?.join(',') || undefined,
      redact: options.redact?.join(','),
      ...speakerFields(options.speakers),
      channel_names: options.channelNames?.join(','),
      turns: turns && true,
      turn_threshold: turns?.threshold,
      turn_eager_threshold: turns?.eagerThreshold,
      turn_timeout_ms: turns?.timeoutMs,
    };
    return new TranscriptionStream({ signal, connect: this.#connect(PATHS.stream, query) }, turns?.onEvent);
  }

  /** Live mode: events while people speak, and the joined finals at the end. */
  live({ onEvent, interims = true, endpointingMs, ...options }: LiveStreamOptions): LiveStream {
    const { speakers: diarize, ...limits } = speakerFields(options.speakers);
    const query = {
      model: options.model ?? MODEL_DEFAULT,
      encoding: 'linear16',
      sample_rate: options.sampleRate ?? LIMITS.sampleRateHzDefault,
      channels: options.channels ?? 1,
      smart_format: true,
      vad_events: true,
      interim_results: interims,
      endpointing: endpointingMs,
      language: options.language,
      detect_language: options.languages?.join(','),
      redact: options.redact?.join(','),
      diarize,
      speaker_changes: diarize,
      ...limits,
    };
    return new LiveStream({ onEvent, signal: options.signal, connect: this.#connect(PATHS.deepgramListen, query) });
  }

  #connect(path: string, query: Readonly<Record<string, unknown>>): StreamParts['connect'] {
    const url = this.#url(path);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return (listener, signal) =>
      withRetries(() => this.#transport.openSocket({ url, apiKey: this.#apiKey, signal, listener }), {
        retries: this.#retries,
        signal,
      });
  }

  /** Keeps the path of the base URL, if it has one. */
  #url(path: string): URL {
    return new URL(path.slice(1), this.#baseUrl);
  }
}
