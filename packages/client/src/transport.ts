// What differs between Node and browsers: opening a WebSocket, and sending a form with progress.
import { KEY_SCHEME, KEY_SUBPROTOCOL_PREFIX, SUBPROTOCOL } from '@faircopy/contract';
import type { UploadProgress } from './options.ts';

export interface SocketListener {
  message(text: string): void;
  /** Called once, whoever closed. */
  closed(code: number, reason: string): void;
}

export interface OpenSocket {
  /** Resolves when more is welcome; a slow network or server holds the sender back here. */
  send(data: string | Uint8Array): Promise<void>;
  /** Ends the connection; the listener still hears of it. */
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
  /** The same for every try of one call: whatever becomes of the connection, it is worked on and billed once. */
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

/** Unsent bytes beyond which a sender waits. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/** The key travels as a subprotocol, so that it stands in no address. */
export const subprotocols = (apiKey: string): string[] => [SUBPROTOCOL, `${KEY_SUBPROTOCOL_PREFIX}${apiKey}`];

export const authorization = (apiKey: string): string => `${KEY_SCHEME} ${apiKey}`;
