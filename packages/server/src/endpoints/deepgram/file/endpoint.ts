// Deepgram's file endpoint: POST /v1/listen.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Calls } from '../../../calls/calls.ts';
import { EVERY_FILE } from '../../../calls/files/accepted-files.ts';
import type { FileCall } from '../../../calls/files/file-call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import type { LongFileSettings } from '../../../calls/settings.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import { wavHeader } from '../../../lib/wav-header.ts';
import { apiKeyOf } from '../../../transport/http/api-key.ts';
import { type HttpSettings, longUploadTimeoutMs } from '../../../transport/http/settings.ts';
import { fileTooLarge } from '../../../transport/http/upload/upload-form.ts';
import { addUploadRoute } from '../../../transport/http/upload/upload-route.ts';
import { KEY_SCHEMES, type Query } from '../parameters.ts';
import { requestUuid } from '../request-uuid.ts';
import type { DeepgramSettings } from '../settings.ts';
import { hashAudioBody, receiveAudio } from './audio-body.ts';
import { readListenFile } from './parameters.ts';
import { type ListenedFile, renderListened } from './response.ts';

const MB = 1024 * 1024;

export interface ListenFileParts {
  readonly config: DeepgramSettings & Pick<HttpSettings, 'uploadTimeoutMs'> & Pick<LongFileSettings, 'longFileMb'>;
  readonly names: ModelNames;
  readonly calls: Calls;
}

export const addListenFile = (app: FastifyInstance, { config, names, calls }: ListenFileParts): void => {
  const timeoutMs = longUploadTimeoutMs(config);
  const bytesMax = config.longFileMb * MB;

  const receive = async (request: FastifyRequest, call: FileCall): Promise<string> => {
    const { signal, accountId: owner } = call;
    const options = { timeoutMs, signal, owner, bytesMax, fetchesUrls: config.fetchAudioUrls };
    const { sha256, bodyHash } = await receiveAudio(request, options, (chunk) => call.upload.write(chunk));
    call.received(() => bodyHash);
    return sha256;
  };

  const handle = async (call: FileCall, request: FastifyRequest, reply: FastifyReply): Promise<FileAnswer> => {
    const { upload } = call;
    const headers = { 'dg-request-id': requestUuid(call.requestId) };
    reply.headers(headers);
    const options = await call.run(async () => readListenFile(request.query as Query, names));
    // With a header, raw samples are decoded like any file.
    const header = options.raw && wavHeader(options.raw);
    const render = (listened: Omit<ListenedFile, 'requestId'>): FileAnswer => ({
      contentType: 'application/json; charset=utf-8',
      headers,
      body: JSON.stringify(renderListened({ requestId: call.requestId, ...listened }, options)),
    });
    const sha256 = await call.run(async () => {
      if (options.multichannel) upload.holdForChannels();
      else upload.configure(options.transcription);
      if (header) upload.write(header);
      return receive(request, call);
    });
    return call.run(() =>
      options.multichannel
        ? call.transcribeChannels(options.transcription, (transcribed) => render({ sha256, ...transcribed }))
        : call.transcribe(({ transcript, audioSeconds }) =>
            render({ sha256, audioSeconds, transcripts: [transcript] }),
          ),
    );
  };

  addUploadRoute(app, calls, {
    url: PATHS.deepgramListen,
    accepts: EVERY_FILE,
    keyOf: ({ headers }) => apiKeyOf(headers, { schemes: KEY_SCHEMES }),
    checkHeaders: ({ headers }) => {
      if (Number(headers['content-length'] ?? 0) > bytesMax) throw fileTooLarge(bytesMax);
    },
    handle,
    hashBody: (replay, request) =>
      hashAudioBody(request, { timeoutMs, signal: replay.signal, bytesMax }, (count) => replay.count(count)),
  });
};
