// Deepgram's file endpoint: POST /v1/listen with the audio itself as the body, or the address of it in JSON.
import { createHash } from 'node:crypto';
import { LIMITS, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import type { FileCall } from '../../calls/files/file-call.ts';
import type { Replay } from '../../calls/files/replay.ts';
import { ModelNames } from '../../calls/model-names.ts';
import { keyInHeader, requireKey } from '../../calls/presented-key.ts';
import type { ModelNameSettings } from '../../calls/settings.ts';
import type { FileAnswer } from '../../idempotency/answer.ts';
import { Fault } from '../../lib/fault.ts';
import type { HttpSettings } from '../../transport/http/settings.ts';
import { plainBodyHash } from '../../transport/http/upload/body-hash.ts';
import { type ReceiveOptions, receiveBody } from '../../transport/http/upload/receive.ts';
import { addUploadRoute } from '../../transport/http/upload/upload-route.ts';
import { deepgramErrors } from './error-format.ts';
import { readListenFile } from './file-parameters.ts';
import type { Query } from './parameters.ts';
import { rawWavHeader } from './raw-wav-header.ts';
import { openRemoteAudio } from './remote-audio.ts';
import { requestUuid } from './request-uuid.ts';
import { type ListenedFile, renderListened } from './responses.ts';
import type { DeepgramSettings } from './settings.ts';

export interface ListenParts {
  readonly config: ModelNameSettings & DeepgramSettings & Pick<HttpSettings, 'uploadTimeoutMs'>;
  readonly calls: Calls;
  /** Which addresses may be asked for recordings; others in tests. */
  readonly mayAsk?: (address: string) => boolean;
}

const JSON_BYTES_MAX = 16 * 1024;
const HOW_TO_SEND_THE_KEY = 'Send it as "Authorization: Token <API_KEY>".';

const invalid = (message: string): Fault => new Fault('INVALID_REQUEST', { message });
const tooLarge = (): Fault =>
  new Fault('FILE_TOO_LARGE', { message: `The file is larger than ${LIMITS.fileBytesMax / 1024 / 1024} MB.` });

const isJson = ({ headers }: FastifyRequest): boolean =>
  /^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hashOf = (request: FastifyRequest, sha256: string): string =>
  plainBodyHash(request.url, isJson(request) ? 'address' : 'audio', sha256);

/** The address in a JSON body. */
const urlIn = (body: Buffer): string => {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw invalid('The body is not JSON.');
  }
  const { url } = (value ?? {}) as { url?: unknown };
  if (typeof url !== 'string' || url === '') throw invalid('The body must be audio, or JSON with a "url".');
  return url;
};

export const addListenFile = (app: FastifyInstance, { config, calls, mayAsk }: ListenParts): void => {
  const names = new ModelNames(config.modelAliases, config.models);
  app.errorFormats.add(PATHS.deepgramListen, deepgramErrors);

  const limitsOf = (signal: AbortSignal): ReceiveOptions => ({ timeoutMs: config.uploadTimeoutMs, signal });

  /** Passes the audio on as it arrives; resolves to its hash. */
  const receive = async (
    request: FastifyRequest,
    call: FileCall,
    take: (chunk: Buffer) => Promise<void> | undefined,
  ) => {
    const hash = createHash('sha256');
    const limits = limitsOf(call.signal);
    let bytes = 0;
    const takeSome = (chunk: Buffer): Promise<void> | undefined => {
      bytes += chunk.length;
      if (bytes > LIMITS.fileBytesMax) throw tooLarge();
      hash.update(chunk);
      return take(chunk);
    };
    let json: Buffer | undefined;
    if (isJson(request)) {
      json = await receiveJson(request, limits);
      await fetchAudio(urlIn(json), call.accountId, limits, takeSome);
    } else await receiveBody(request.raw, limits, takeSome);
    if (bytes === 0) throw invalid('The body is empty: it must be the audio.');
    const sha256 = hash.digest('hex');
    call.received(() => hashOf(request, json === undefined ? sha256 : sha256Of(json)));
    return sha256;
  };

  /** Of a retry: the same bytes to the same address. */
  const hashBody = async (replay: Replay, request: FastifyRequest): Promise<string> => {
    const hash = createHash('sha256');
    let bytes = 0;
    await receiveBody(request.raw, limitsOf(replay.signal), (chunk) => {
      replay.count(chunk.length);
      bytes += chunk.length;
      if (bytes > LIMITS.fileBytesMax) throw tooLarge();
      hash.update(chunk);
      return undefined;
    });
    return hashOf(request, hash.digest('hex'));
  };

  const receiveJson = async ({ raw }: FastifyRequest, limits: ReceiveOptions): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    await receiveBody(raw, limits, (chunk) => {
      bytes += chunk.length;
      if (bytes > JSON_BYTES_MAX) throw invalid('The JSON body is too large.');
      chunks.push(chunk);
      return undefined;
    });
    return Buffer.concat(chunks);
  };

  const fetchAudio = async (
    url: string,
    owner: string,
    limits: ReceiveOptions,
    take: (chunk: Buffer) => Promise<void> | undefined,
  ): Promise<void> => {
    if (!config.fetchAudioUrls) throw invalid('Addresses are not fetched here: send the audio itself as the body.');
    const timeout = AbortSignal.timeout(limits.timeoutMs);
    const signal = AbortSignal.any([limits.signal, timeout]);
    try {
      const response = await openRemoteAudio(url, {
        timeoutMs: limits.timeoutMs,
        signal,
        owner,
        ...(mayAsk && { mayAsk }),
      });
      for await (const chunk of response) await take(chunk as Buffer);
    } catch (thrown) {
      if (timeout.aborted) throw new Fault('REQUEST_TIMEOUT', { message: 'The recording did not arrive in time.' });
      if (thrown instanceof Fault || limits.signal.aborted) throw thrown;
      throw invalid('The url could not be read to its end.');
    }
  };

  const handle = async (call: FileCall, request: FastifyRequest, reply: FastifyReply): Promise<FileAnswer> => {
    const { upload } = call;
    const headers = { 'dg-request-id': requestUuid(call.requestId) };
    reply.headers(headers);
    const asked = await call.run(async () => readListenFile(request.query as Query, names));
    const header = asked.raw && rawWavHeader(asked.raw);
    const render = (listened: Omit<ListenedFile, 'requestId'>): FileAnswer => ({
      contentType: 'application/json; charset=utf-8',
      headers,
      body: JSON.stringify(renderListened({ requestId: call.requestId, ...listened }, asked)),
    });
    if (asked.multichannel) {
      const sha256 = await call.run(async () => {
        if (header) upload.write(header);
        return receive(request, call, (chunk) => upload.write(chunk));
      });
      return call.run(() =>
        call.transcribeChannels(asked.transcription, (transcribed) => render({ sha256, ...transcribed })),
      );
    }
    const sha256 = await call.run(async () => {
      upload.configure(asked.transcription);
      if (header) upload.write(header);
      return receive(request, call, (chunk) => upload.write(chunk));
    });
    return call.run(() =>
      call.transcribe(({ transcript, audioSeconds }) => render({ sha256, audioSeconds, transcripts: [transcript] })),
    );
  };

  addUploadRoute(app, calls, {
    url: PATHS.deepgramListen,
    formats: 'all',
    keyOf: ({ headers }) => requireKey(keyInHeader(headers.authorization, ['Token', 'Bearer']), HOW_TO_SEND_THE_KEY),
    checkHeaders: ({ headers }) => {
      if (Number(headers['content-length'] ?? 0) > LIMITS.fileBytesMax) throw tooLarge();
    },
    handle,
    hashBody,
  });
};
