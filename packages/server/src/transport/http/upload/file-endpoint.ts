// An endpoint that takes a form with a file: the key, the limits, the body as it arrives; the answer is the endpoint's own.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AudioFormats } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { Calls } from '../../../calls/calls.ts';
import type { FileCall } from '../../../calls/files/file-call.ts';
import type { Replay } from '../../../calls/files/replay.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import type { HttpSettings } from '../settings.ts';
import { FormHash } from './body-hash.ts';
import { boundaryOf } from './multipart.ts';
import { receiveBody } from './receive.ts';
import { checkFormHeaders, type FormFields, type FormShape, UploadForm } from './upload-form.ts';
import { addUploadRoute } from './upload-route.ts';

export interface FileEndpointParts {
  readonly config: Pick<HttpSettings, 'uploadTimeoutMs'>;
  readonly calls: Calls;
}

/** What the fields of a form ask for, as an endpoint understands them. */
export interface FileRequest {
  readonly transcription: TranscriptionOptions;
}

export interface FileEndpoint<Asked extends FileRequest> {
  readonly url: string;
  readonly formats: AudioFormats;
  readonly form: FormShape;
  /** The key that a request presents, or the fault that says how to send one. */
  readonly keyOf: (request: FastifyRequest) => string;
  /** What is asked by these fields. Throws when that cannot be known from them, yet or at all. */
  readonly read: (fields: FormFields) => Asked;
  /** Whether fields may still come that make sense of these. */
  readonly isIncomplete: (fields: FormFields) => boolean;
  /** Everything is here. Failures are thrown; they have been recorded if the call failed. */
  readonly answer: (call: FileCall, asked: Asked, reply: FastifyReply) => Promise<FileAnswer | 'sent'>;
}

export const addFileEndpoint = <Asked extends FileRequest>(
  app: FastifyInstance,
  endpoint: FileEndpoint<Asked>,
  { config, calls }: FileEndpointParts,
): void => {
  const receive = async (request: FastifyRequest, call: FileCall): Promise<Asked> => {
    const hash = call.isKeyed ? new FormHash() : undefined;
    const form = new UploadForm(boundaryOf(request.headers['content-type'])!, endpoint.form, {
      write: (bytes) => {
        hash?.write(bytes);
        return call.upload.write(bytes);
      },
      onField: (fields) => configure(fields, call),
    });
    const limits = { timeoutMs: config.uploadTimeoutMs, signal: call.signal };
    await receiveBody(request.raw, limits, (chunk) => form.push(chunk));
    // What is wrong with the fields comes before what is wrong with the audio.
    const fields = form.finish();
    const asked = endpoint.read(fields);
    call.received(() => hash!.digest(endpoint.url, fields));
    return asked;
  };

  const hashBody = async (replay: Replay, request: FastifyRequest): Promise<string> => {
    checkFormHeaders(request.headers, endpoint.form);
    const hash = new FormHash();
    const form = new UploadForm(boundaryOf(request.headers['content-type'])!, endpoint.form, {
      write: (bytes) => void hash.write(bytes),
      onField: () => {},
    });
    const limits = { timeoutMs: config.uploadTimeoutMs, signal: replay.signal };
    await receiveBody(request.raw, limits, (chunk) => {
      replay.count(chunk.length);
      return form.push(chunk);
    });
    return hash.digest(endpoint.url, form.finish());
  };

  /** Tells the upload what is asked as far as it is known, so that recognition starts while the file arrives. */
  const configure = (fields: FormFields, call: FileCall): void => {
    if (endpoint.isIncomplete(fields)) return;
    let asked: Asked;
    try {
      asked = endpoint.read(fields);
    } catch {
      // The caller is told when the form is whole.
      call.upload.discard();
      return;
    }
    call.upload.configure(asked.transcription);
  };

  addUploadRoute(app, calls, {
    url: endpoint.url,
    formats: endpoint.formats,
    keyOf: endpoint.keyOf,
    checkHeaders: ({ headers }) => checkFormHeaders(headers, endpoint.form),
    handle: async (call, request, reply) => {
      const asked = await call.run(() => receive(request, call));
      return endpoint.answer(call, asked, reply);
    },
    hashBody,
  });
};
