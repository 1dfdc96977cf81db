// Receives a form with one file from a request.
import type { FastifyRequest } from 'fastify';
import { FormHash } from './body-hash.ts';
import { boundaryOf } from './multipart.ts';
import { type ReceiveOptions, receiveBody } from './receive.ts';
import { type FormShape, type FormSink, UploadForm } from './upload-form.ts';

export interface ReceiveFormOptions extends ReceiveOptions {
  /** Whether the body's hash is wanted. */
  readonly hash: boolean;
  /** Called with the size of each chunk of the body. */
  readonly onBytes?: (count: number) => void;
}

export interface ReceivedForm<Values> {
  /** The parsed fields. Throws a Fault when one is not valid. */
  values(): Values;
  /** The hash of the body, for a request to this path. */
  bodyHash(path: string): string;
}

/** Resolves when the form is complete. The content type must have been checked. */
export const receiveForm = async <Values>(
  { raw, headers }: FastifyRequest,
  shape: FormShape<Values>,
  sink: FormSink<Values>,
  options: ReceiveFormOptions,
): Promise<ReceivedForm<Values>> => {
  const hash = options.hash ? new FormHash() : undefined;
  const form = new UploadForm(boundaryOf(headers['content-type'])!, shape, {
    ...sink,
    write: (bytes) => {
      hash?.write(bytes);
      return sink.write(bytes);
    },
  });
  await receiveBody(raw, options, (chunk) => {
    options.onBytes?.(chunk.length);
    return form.push(chunk);
  });
  form.finish();
  return { values: () => form.values(), bodyHash: (path) => hash!.digest(path, form.rawFields) };
};
