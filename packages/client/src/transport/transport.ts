// The transport interface, implemented for Node and for browsers: WebSockets, and form uploads with progress.
import { KEY_SCHEME, KEY_SUBPROTOCOL_PREFIX, SUBPROTOCOL } from '@faircopy/contract/values';
import type { UploadProgress } from '../options.ts';

export interface SocketListener {
  message(text: string): void;
  /** The connection works, although there was no message. Browsers cannot tell. */
  alive(): void;
  /** Called once, whichever side closed. */
  closed(code: number, reason: string): void;
}

export interface OpenSocket {
  /** A connection without a message or a sign of life for longer than this has died. */
  readonly silenceMsMax: number;
  /** Resolves when more can be sent: this is the back-pressure of the network and the server. */
  send(data: string | Uint8Array): Promise<void>;
  /** Closes the connection; the listener is still notified. */
  close(): void;
}

export interface SocketRequest {
  readonly url: URL;
  readonly apiKey: string;
  readonly signal: AbortSignal;
  readonly listener: SocketListener;
}

export interface FormRequest {
  readonly url: URL;
  readonly apiKey: string;
  readonly form: FormData;
  /** The same for every attempt of a call, so that the server runs and bills the call once. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
}

export interface FormAnswer {
  readonly status: number;
  readonly body: string;
  header(name: string): string | null;
}

export interface Transport {
  /** Rejects with a FaircopyError when the handshake is refused, or with the signal's reason. */
  openSocket(request: SocketRequest): Promise<OpenSocket>;
  /** Rejects with a FaircopyError when there is no answer, or with the signal's reason. */
  postForm(request: FormRequest): Promise<FormAnswer>;
}

/** A sender waits while more bytes than this are unsent. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/** The key is sent as a subprotocol to keep it out of URLs. */
export const subprotocols = (apiKey: string): string[] => [SUBPROTOCOL, `${KEY_SUBPROTOCOL_PREFIX}${apiKey}`];

export const authorization = (apiKey: string): string => `${KEY_SCHEME} ${apiKey}`;
