// The file endpoint: POST /v1/transcribe.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Calls } from '../calls/calls.ts';
import type { FileCall } from '../calls/file-call.ts';
import { keyInHeader, requireKey } from '../calls/presented-key.ts';
import { successBody } from '../calls/success-response.ts';
import type { Config } from '../platform/config.ts';
import { boundaryOf } from './multipart.ts';
import { expectBody, forgetBody, receiveBody } from './receive.ts';
import { checkFormHeaders, TranscribeForm } from './transcribe-form.ts';

declare module 'fastify' {
  interface FastifyRequest {
    fileCall: FileCall | undefined;
  }
}

export interface TranscribeParts {
  readonly config: Pick<Config, 'uploadTimeoutMs'>;
  readonly calls: Calls;
}

const HOW_TO_SEND_THE_KEY = 'Send it as "Authorization: Token <API_KEY>".';

export const addTranscribe = (app: FastifyInstance, { config, calls }: TranscribeParts): void => {
  /** Everything that can be refused before a byte of the body has been read. */
  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { socket } = request.raw;
    expectBody(socket, request.id);
    reply.raw.once('close', () => forgetBody(socket));
    const key = requireKey(keyInHeader(request.headers.authorization), HOW_TO_SEND_THE_KEY);
    const principal = await calls.authenticate(key);
    const call = calls.openFile({ requestId: request.id, principal });
    const onClose = () => call.end(reply.raw.writableFinished ? 'answered' : 'left');
    // The caller may have left while the key was looked up.
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    await call.checkIn(() => {
      checkFormHeaders(request.headers);
      calls.checkCapacity(principal);
    });
    request.fileCall = call;
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call = request.fileCall!;
    const form = new TranscribeForm(boundaryOf(request.headers['content-type'])!, call.upload);
    const body = await call.run(async () => {
      const limits = { timeoutMs: config.uploadTimeoutMs, signal: call.signal };
      await receiveBody(request.raw, limits, (chunk) => form.push(chunk));
      const include = form.finish();
      return successBody(await call.transcribe(), { requestId: request.id, include });
    });
    return reply.send(body);
  };

  app.register(async (scope) => {
    // The body is read by the endpoint itself, as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.decorateRequest('fileCall', undefined);
    scope.route({
      method: 'POST',
      url: PATHS.transcribe,
      config: { readsOwnBody: true },
      onRequest: open,
      handler: handle,
    });
  });
};
