// Route of an endpoint that takes a form with a file: checks the key and limits and transcribes the file as it arrives.
import type { ModelId } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { Calls } from '../../../calls/calls.ts';
import type { AcceptedFiles } from '../../../calls/files/accepted-files.ts';
import type { FileCall } from '../../../calls/files/file-call.ts';
import type { SplitChannels } from '../../../calls/speakers/split-channels.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import { type HttpSettings, longUploadTimeoutMs } from '../settings.ts';
import { receiveForm } from './receive-form.ts';
import { checkFormHeaders, type FormShape } from './upload-form.ts';
import { addUploadRoute } from './upload-route.ts';

export interface FileEndpointParts {
  readonly config: Pick<HttpSettings, 'uploadTimeoutMs'>;
  readonly calls: Calls;
}

export interface FileValues {
  /** Undefined until the field has arrived. */
  readonly model: ModelId | undefined;
}

/** What a form asks for. */
export interface FileRequest {
  readonly transcription: TranscriptionOptions;
  /** Transcribe each channel separately. */
  readonly split?: SplitChannels | undefined;
}

export interface FileEndpoint<Values extends FileValues, Request extends FileRequest> {
  readonly url: string;
  readonly accepts: AcceptedFiles;
  readonly form: FormShape<Values>;
  /** The API key of the request. Throws a Fault when there is none. */
  readonly keyOf: (request: FastifyRequest) => string;
  /** Builds the request from the fields. Throws a Fault when the model is missing. */
  readonly requestOf: (values: Values) => Request;
  /** Called when the form is complete; renders the answer. A failure that it throws is already recorded by the call. */
  readonly answer: (call: FileCall, request: Request, reply: FastifyReply) => Promise<FileAnswer | 'sent'>;
}

export const addFileEndpoint = <Values extends FileValues, Request extends FileRequest>(
  app: FastifyInstance,
  { url, accepts, form, keyOf, requestOf, answer }: FileEndpoint<Values, Request>,
  { config, calls }: FileEndpointParts,
): void => {
  const timeoutMs = accepts.lengths === 'long' ? longUploadTimeoutMs(config) : config.uploadTimeoutMs;
  const receive = async (request: FastifyRequest, call: FileCall): Promise<Request> => {
    const { upload, signal } = call;
    const sink = {
      write: (bytes: Uint8Array) => upload.write(bytes),
      // Recognition starts while the file arrives, as soon as the model is known.
      onValues: (values: Values) => {
        if (values.model === undefined) return;
        const { split, transcription } = requestOf(values);
        if (split) upload.holdForChannels();
        else upload.configure(transcription);
      },
      // The fault is reported once the form is complete.
      onInvalid: () => upload.discard(),
    };
    const received = await receiveForm(request, form, sink, { timeoutMs, signal, hash: call.isKeyed });
    // Faults in the fields come before faults in the audio.
    const fileRequest = requestOf(received.values());
    call.received(() => received.bodyHash(url));
    return fileRequest;
  };

  addUploadRoute(app, calls, {
    url,
    accepts,
    keyOf,
    checkHeaders: ({ headers }) => checkFormHeaders(headers, form),
    handle: async (call, request, reply) => answer(call, await call.run(() => receive(request, call)), reply),
    hashBody: async (replay, request) => {
      checkFormHeaders(request.headers, form);
      const { signal } = replay;
      const onBytes = (count: number) => replay.count(count);
      const skip = { write: () => undefined };
      return (await receiveForm(request, form, skip, { timeoutMs, signal, hash: true, onBytes })).bodyHash(url);
    },
  });
};
