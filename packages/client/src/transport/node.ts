// The transport for Node. It uses `ws`, which exposes the HTTP answer of a refused handshake.
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { errorFromAnswer, FaircopyError } from '../error.ts';
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
/** The server sends a ping every 20 seconds. */
const SILENCE_MS_MAX = 75_000;

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
      // With this listener attached, ws does not end the request itself.
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
    socket.on('ping', () => listener.alive());
    socket.once('open', () => {
      signal.removeEventListener('abort', onAbort);
      socket.once('close', (code, reason) => listener.closed(code, String(reason)));
      resolve({
        silenceMsMax: SILENCE_MS_MAX,
        send: (data) => send(socket, data),
        close: () => close(socket),
      });
    });
  });

/** A failed send is reported when the connection closes. */
const send = (socket: WebSocket, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const hasRoom = socket.bufferedAmount < UNSENT_BYTES_MAX;
    socket.send(data, () => resolve());
    if (hasRoom) resolve();
  });

const close = (socket: WebSocket): void => {
  socket.close(1000);
  // Limits the wait for the server's half of the closing handshake.
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

const PIECE_BYTES = 64 * 1024;

/** Streams the bytes in pieces and reports how many have been read. */
const streamPieces = (bytes: Uint8Array, onTaken: (takenBytes: number) => void): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      onTaken(at);
      controller.enqueue(piece);
    },
  });
};

/** Encodes the form first: if a connection fails while Node 24 encodes a form, Node throws an uncatchable error. */
const postForm = async (request: FormRequest) => {
  const { onProgress, form } = request;
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  if (!onProgress) return fetchForm(request, { body: bytes, type });
  const totalBytes = bytes.length;
  const body = streamPieces(bytes, (sentBytes) => onProgress({ sentBytes, totalBytes }));
  return fetchForm(request, { body, type });
};

export const nodeTransport: Transport = { openSocket, postForm };
