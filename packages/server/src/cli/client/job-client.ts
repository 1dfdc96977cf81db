// Client for the jobs of a running server: creates one from a file that is read while it is sent, lists and gets them.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { FaircopyError, type FaircopyErrorCode } from '@faircopy/client';
import {
  type Include,
  type JobListResponse,
  type JobResponse,
  type JobState,
  type ModelId,
  PATHS,
  type RedactionName,
} from '@faircopy/contract';

export interface JobOptions {
  readonly model: ModelId;
  readonly language?: string | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly redact?: readonly RedactionName[] | undefined;
  readonly include: readonly Include[];
  readonly vocabulary: readonly string[];
  readonly fileName: string;
  /** Speaker diarisation, with the number of speakers if it is known. */
  readonly speakers?: true | { readonly count?: number; readonly knownVoices?: true };
  readonly tags?: readonly string[] | undefined;
  readonly webhook?: string | undefined;
}

export interface Sending {
  /** A second request with the same key gets the job of the first. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly sentBytes: number; readonly totalBytes: number }) => void;
}

export class JobClient {
  readonly #base: URL;
  readonly #apiKey: string;

  constructor({ url, apiKey }: { readonly url: string; readonly apiKey: string }) {
    this.#base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.#apiKey = apiKey;
  }

  async create(
    audio: Blob,
    options: JobOptions,
    { signal, onProgress, idempotencyKey }: Sending = {},
  ): Promise<JobResponse> {
    const boundary = randomBytes(16).toString('hex');
    const head = Buffer.from(formHead(options, boundary));
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const totalBytes = head.length + audio.size + tail.length;
    const request = this.#request('POST', PATHS.jobs, signal, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(totalBytes),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    });
    const answered = answerTo<JobResponse>(request, signal);
    const send = async (): Promise<void> => {
      let sentBytes = 0;
      const write = async (bytes: Uint8Array): Promise<void> => {
        const hasRoom = request.write(bytes);
        sentBytes += bytes.length;
        onProgress?.({ sentBytes, totalBytes });
        if (!hasRoom) await once(request, 'drain', { signal });
      };
      await write(head);
      for await (const chunk of audio.stream()) await write(chunk);
      await write(tail);
      request.end();
    };
    // A refusal may arrive before the last byte is sent, and then decides the outcome.
    return Promise.race([answered, send().then(() => answered)]);
  }

  async get(id: string, signal?: AbortSignal): Promise<JobResponse> {
    const request = this.#request('GET', `${PATHS.jobs}/${encodeURIComponent(id)}`, signal);
    request.end();
    return answerTo(request, signal);
  }

  /** Newest first. */
  async list(
    { limit, state, before }: { readonly limit: number; readonly state?: JobState; readonly before?: string },
    signal?: AbortSignal,
  ): Promise<JobListResponse> {
    const query = new URLSearchParams({ limit: String(limit), ...(state && { state }), ...(before && { before }) });
    const request = this.#request('GET', `${PATHS.jobs}?${query}`, signal);
    request.end();
    return answerTo(request, signal);
  }

  #request(method: string, path: string, signal: AbortSignal | undefined, headers: Record<string, string> = {}) {
    const url = new URL(path.slice(1), this.#base);
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = open(url, {
      method,
      headers: { authorization: `Token ${this.#apiKey}`, ...headers },
      ...(signal && { signal }),
    });
    // A failure is reported by whoever waits. Without a listener, one after the answer's head would end the process.
    return request.on('error', () => {});
  }
}

const formHead = (options: JobOptions, boundary: string): string => {
  const { model, language, languages = [], redact, include, vocabulary, fileName, speakers, webhook } = options;
  const { tags = [] } = options;
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const quoted = fileName.replace(/["\r\n]/g, '_');
  return [
    part('model', model),
    language === undefined ? '' : part('language', language),
    languages.length === 0 ? '' : part('languages', languages.join(',')),
    redact === undefined ? '' : part('redact', redact.join(',')),
    include.length === 0 ? '' : part('include', include.join(',')),
    ...vocabulary.map((term) => part('vocabulary', term)),
    ...tags.map((tag) => part('tag', tag)),
    speakers === undefined ? '' : part('speakers', 'true'),
    typeof speakers === 'object' && speakers.count !== undefined ? part('num_speakers', String(speakers.count)) : '',
    typeof speakers === 'object' && speakers.knownVoices ? part('known_voices', 'true') : '',
    webhook === undefined ? '' : part('webhook', webhook),
    `--${boundary}\r\nContent-Disposition: form-data; name="audio"; filename="${quoted}"\r\n\r\n`,
  ].join('');
};

const answerTo = async <Answer>(request: ClientRequest, signal: AbortSignal | undefined): Promise<Answer> => {
  const { status, body } = await received(request).catch((cause) => {
    if (signal?.aborted) throw cause;
    throw new FaircopyError('CONNECTION_FAILED', `The connection to ${request.host} failed.`, { cause });
  });
  if (body?.status === 'success') return body as Answer;
  const { code = 'UNEXPECTED_ANSWER', message = `The server answered with ${status}.` } = body?.error ?? {};
  throw new FaircopyError(code as FaircopyErrorCode, message, { status, requestId: body?.request_id ?? null });
};

const received = async (request: ClientRequest) => {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: parsed(await text(response)) };
};

interface AnswerBody {
  readonly status?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly request_id?: string;
}

const parsed = (body: string): AnswerBody | null => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};
