// The transport for Node: `ws`, since it shows the HTTP answer of a refused handshake.
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { errorFromAnswer, FaircopyError } from './error.ts';
import { fetchForm } from './fetch-form.ts';
import {
  type FormRequest,
  type OpenSocket,
  type SocketRequest,
  subprotocols,
  type Transport,
  UNSENT_BYTES_MAX,
} from './transport.ts';

const ERROR_BODY_BYTES_MAX = 64 * 1024;
const HANDSHAKE_TIMEOUT_MS = 15_000;

const openSocket = ({ url, apiKey, signal, listener }: SocketRequest): Promise<OpenSocket> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, subprotocols(apiKey), {
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    const onAbort = () => {
      reject(signal.reason);
      socket.terminate();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('unexpected-response', (_request, response) => {
      // This listener owns the request now: ending it is up to us.
      refusal(response)
        .then(reject, reject)
        .finally(() => socket.terminate());
    });
    socket.on('error', (cause) =>
      reject(new FaircopyError('CONNECTION_FAILED', `The connection to ${url.host} failed.`, { cause })),
    );
    socket.on('message', (data, isBinary) => {
      if (!isBinary) listener.message(String(data));
    });
    socket.once('open', () => {
      signal.removeEventListener('abort', onAbort);
      socket.once('close', (code, reason) => listener.closed(code, String(reason)));
      resolve({ send: (data) => send(socket, data), close: () => close(socket) });
    });
  });

/** A failed send shows in the close of the connection. */
const send = (socket: WebSocket, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const mayGoOn = socket.bufferedAmount < UNSENT_BYTES_MAX;
    socket.send(data, () => resolve());
    if (mayGoOn) resolve();
  });

const close = (socket: WebSocket): void => {
  socket.close(1000);
  // Nothing more is wanted from the server: its half of the closing handshake is not waited for.
  setTimeout(() => socket.terminate(), 1_000).unref();
};

const refusal = async (response: IncomingMessage): Promise<FaircopyError> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > ERROR_BODY_BYTES_MAX) break;
  }
  return errorFromAnswer({
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString('utf8'),
    header: (name) => response.headers[name]?.toString(),
  });
};

/** With progress the form is encoded first and counted as it is read; without, fetch does it all. */
const postForm = async (request: FormRequest) => {
  const { onProgress, form } = request;
  if (!onProgress) return fetchForm(request);
  const encoded = new Response(form);
  const totalBytes = [...form.values()].reduce(
    (total, value) => total + (typeof value === 'string' ? value.length : value.size),
    0,
  );
  let sentBytes = 0;
  const counted = (encoded.body as ReadableStream<Uint8Array>).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        sentBytes += chunk.length;
        // The form's own lines are a little more than what it carries.
        onProgress({ sentBytes: Math.min(sentBytes, totalBytes), totalBytes });
        controller.enqueue(chunk);
      },
    }),
  );
  return fetchForm(request, { body: counted, type: encoded.headers.get('content-type') ?? '' });
};

export const nodeTransport: Transport = { openSocket, postForm };
