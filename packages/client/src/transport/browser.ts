// The transport for browsers: the native WebSocket, and XMLHttpRequest for upload progress.
import { errorFromAnswer, FaircopyError } from '../error.ts';
import { fetchForm } from './fetch-form.ts';
import {
  authorization,
  type FormAnswer,
  type FormRequest,
  type OpenSocket,
  type SocketRequest,
  subprotocols,
  type Transport,
  UNSENT_BYTES_MAX,
} from './transport.ts';

const DRAIN_POLL_MS = 50;
const UPGRADE_REQUIRED = 426;
/** Browsers hide pings, so a server that works for long on the end of the audio is as silent as a lost connection. */
const SILENCE_MS_MAX = 5 * 60_000;

const openSocket = ({ url, apiKey, signal, listener }: SocketRequest): Promise<OpenSocket> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, subprotocols(apiKey));
    const onAbort = () => {
      reject(signal.reason);
      socket.close();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') listener.message(data);
    };
    // A browser hides why a handshake was refused; a plain HTTP request to the same URL gets the reason.
    socket.onclose = () => {
      if (signal.aborted) return;
      explainRefusal(url, apiKey, signal).then(reject, reject);
    };
    socket.onopen = () => {
      signal.removeEventListener('abort', onAbort);
      socket.onclose = ({ code, reason }) => listener.closed(code, reason);
      resolve({
        silenceMsMax: SILENCE_MS_MAX,
        send: (data) => send(socket, data),
        close: () => socket.close(1000),
      });
    };
  });

const send = async (socket: WebSocket, data: string | Uint8Array): Promise<void> => {
  socket.send(data as string | Uint8Array<ArrayBuffer>);
  while (socket.readyState === WebSocket.OPEN && socket.bufferedAmount > UNSENT_BYTES_MAX) {
    await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
  }
};

const explainRefusal = async (url: URL, apiKey: string, signal: AbortSignal): Promise<FaircopyError> => {
  const failed = (cause?: unknown) =>
    new FaircopyError('CONNECTION_FAILED', `The connection to ${url.host} failed.`, { cause });
  const plainUrl = new URL(url);
  plainUrl.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  try {
    const answer = await fetch(plainUrl, { headers: { authorization: authorization(apiKey) }, signal });
    // Only the upgrade is missing, so the handshake itself is valid and the connection must have failed.
    if (answer.status === UPGRADE_REQUIRED) return failed();
    return errorFromAnswer({
      status: answer.status,
      body: await answer.text(),
      header: (name) => answer.headers.get(name),
    });
  } catch (cause) {
    return failed(cause);
  }
};

const postForm = (request: FormRequest): Promise<FormAnswer> =>
  request.onProgress ? postWithProgress(request, request.onProgress) : fetchForm(request);

const postWithProgress = (
  { url, apiKey, form, idempotencyKey, signal }: FormRequest,
  onProgress: NonNullable<FormRequest['onProgress']>,
): Promise<FormAnswer> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const onAbort = () => request.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sentBytes: loaded, totalBytes: total });
    request.onload = () =>
      resolve({
        status: request.status,
        body: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    request.onerror = () => reject(new FaircopyError('CONNECTION_FAILED', `${url.host} did not answer.`));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', onAbort);
    request.open('POST', url);
    request.setRequestHeader('authorization', authorization(apiKey));
    request.setRequestHeader('idempotency-key', idempotencyKey);
    request.send(form);
  });

export const browserTransport: Transport = { openSocket, postForm };
