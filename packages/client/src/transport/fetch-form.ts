// Uploads a form with fetch, in Node and in browsers.
import { FaircopyError } from '../error.ts';
import { authorization, type FormAnswer, type FormRequest } from './transport.ts';

/** Sends `encoded` instead of the form if the form is already encoded. */
export const fetchForm = async (
  { url, apiKey, form, idempotencyKey, signal }: FormRequest,
  encoded: { readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>; readonly type: string } | null = null,
): Promise<FormAnswer> => {
  const request: RequestInit & { duplex?: 'half' } = {
    method: 'POST',
    headers: {
      authorization: authorization(apiKey),
      'idempotency-key': idempotencyKey,
      ...(encoded && { 'content-type': encoded.type }),
    },
    body: encoded?.body ?? form,
    ...(encoded && { duplex: 'half' }),
    ...(signal && { signal }),
  };
  try {
    const answer = await fetch(url, request);
    const body = await answer.text();
    return { status: answer.status, body, header: (name) => answer.headers.get(name) };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new FaircopyError('CONNECTION_FAILED', `${url.host} did not answer.`, { cause });
  }
};
