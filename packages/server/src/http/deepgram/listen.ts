// Deepgram's file endpoint: POST /v1/listen with the audio itself as the body, or the address of it in JSON.
import { createHash } from 'node:crypto';
import { LIMITS, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import type { Query } from '../../calls/deepgram/parameters.ts';
import { requestUuid } from '../../calls/deepgram/request-uuid.ts';
import type { FileCall } from '../../calls/file-call.ts';
import { ModelNames } from '../../calls/model-names.ts';
import { keyInHeader, requireKey } from '../../calls/presented-key.ts';
import type { Config } from '../../platform/config.ts';
import { Fault } from '../../platform/fault.ts';
import { expectBody, forgetBody, receiveBody } from '../receive.ts';
import { deepgramErrors } from './error-format.ts';
import { type ListenFileRequest, readListenFile } from './parameters.ts';
import { rawWavHeader } from './raw-wav-header.ts';
import { openRemoteAudio } from './remote-audio.ts';
import { renderListened } from './responses.ts';

export interface ListenParts {
  readonly config: Pick<Config, 'uploadTimeoutMs' | 'modelAliases' | 'models' | 'fetchAudioUrls'>;
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

export const addDeepgram = (app: FastifyInstance, { config, calls, mayAsk }: ListenParts): void => {
  const names = new ModelNames(config.modelAliases, config.models);
  app.errorFormats.add(PATHS.deepgramListen, deepgramErrors);

  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { socket } = request.raw;
    reply.header('dg-request-id', requestUuid(request.id));
    expectBody(socket, request.id);
    reply.raw.once('close', () => forgetBody(socket));
    const key = keyInHeader(request.headers.authorization, ['Token', 'Bearer']);
    const principal = await calls.authenticate(requireKey(key, HOW_TO_SEND_THE_KEY));
    const call = calls.openFile({ requestId: request.id, principal }, 'all');
    const onClose = () => call.end(reply.raw.writableFinished ? 'answered' : 'left');
    // The caller may have left while the key was looked up.
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    await call.run(async () => {
      if (Number(request.headers['content-length'] ?? 0) > LIMITS.fileBytesMax) throw tooLarge();
      calls.checkCapacity(principal);
    });
    request.fileCall = call;
  };

  /** Passes the audio on as it arrives; resolves to its hash. */
  const receive = async (
    request: FastifyRequest,
    call: FileCall,
    take: (chunk: Buffer) => Promise<void> | undefined,
  ) => {
    const hash = createHash('sha256');
    const limits = { timeoutMs: config.uploadTimeoutMs, signal: call.signal };
    let bytes = 0;
    const takeSome = (chunk: Buffer): Promise<void> | undefined => {
      bytes += chunk.length;
      if (bytes > LIMITS.fileBytesMax) throw tooLarge();
      hash.update(chunk);
      return take(chunk);
    };
    if (!isJson(request)) await receiveBody(request.raw, limits, takeSome);
    else await fetchAudio(request, limits, takeSome);
    if (bytes === 0) throw invalid('The body is empty: it must be the audio.');
    return hash.digest('hex');
  };

  const fetchAudio = async (
    { raw }: FastifyRequest,
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
    take: (chunk: Buffer) => Promise<void> | undefined,
  ): Promise<void> => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    await receiveBody(raw, limits, (chunk) => {
      bytes += chunk.length;
      if (bytes > JSON_BYTES_MAX) throw invalid('The JSON body is too large.');
      chunks.push(chunk);
      return undefined;
    });
    const url = urlIn(Buffer.concat(chunks));
    if (!config.fetchAudioUrls) throw invalid('Addresses are not fetched here: send the audio itself as the body.');
    const timeout = AbortSignal.timeout(limits.timeoutMs);
    const signal = AbortSignal.any([limits.signal, timeout]);
    try {
      const response = await openRemoteAudio(url, { timeoutMs: limits.timeoutMs, signal, ...(mayAsk && { mayAsk }) });
      for await (const chunk of response) await take(chunk as Buffer);
    } catch (thrown) {
      if (timeout.aborted) throw new Fault('REQUEST_TIMEOUT', { message: 'The recording did not arrive in time.' });
      if (thrown instanceof Fault || limits.signal.aborted) throw thrown;
      throw invalid('The url could not be read to its end.');
    }
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call = request.fileCall!;
    const { upload } = call;
    const { asked, sha256 } = await call.run(async () => {
      const read: ListenFileRequest = readListenFile(request.query as Query, names);
      upload.configure(read.transcription);
      if (read.raw) upload.write(rawWavHeader(read.raw));
      return { asked: read, sha256: await receive(request, call, (chunk) => upload.write(chunk)) };
    });
    const { transcript, audioSeconds } = await call.run(() => call.transcribe());
    const listened = { requestId: call.requestId, sha256, audioSeconds, transcripts: [transcript] };
    return reply.send(renderListened(listened, asked));
  };

  app.register(async (scope) => {
    // The body is read by the endpoint itself, as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.decorateRequest('fileCall', undefined);
    scope.route({
      method: 'POST',
      url: PATHS.deepgramListen,
      config: { readsOwnBody: true },
      onRequest: open,
      handler: handle,
    });
  });
};
