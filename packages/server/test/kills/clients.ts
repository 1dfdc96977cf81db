// Clients of a server that is being killed: each request ends as a success, a refusal or a broken connection.
import {
  type ErrorResponse,
  errorResponse,
  resultMessage,
  type SuccessResponse,
  successResponse,
} from '@faircopy/contract';
import { WebSocket } from 'ws';
import { spoken } from '../../src/speech/testing/tones.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from '../http/forms.ts';

export type Outcome =
  | { readonly kind: 'success'; readonly answer: SuccessResponse }
  | { readonly kind: 'refused'; readonly code: string; readonly requestId: string }
  /** The connection ended without a response. */
  | { readonly kind: 'broken' }
  /** No response within HUNG_MS. */
  | { readonly kind: 'hung' };

/** Longer than any time-out of the server. */
const HUNG_MS = 120_000;

const WORDS = ['apple', 'bridge', 'candle', 'desk'];
const FRAME_BYTES = 8_000;

export type Send = (address: string, key: string) => Promise<Outcome>;

const refused = ({ error, request_id }: ErrorResponse): Outcome => ({
  kind: 'refused',
  code: error.code,
  requestId: request_id,
});

/** Sends a file with these words. */
export const fileOf = (words: readonly string[]): Send => {
  const upload = form(MODEL, file(wavOf(spoken(words))));
  return (address, key) => sendUpload(address, key, upload);
};

const sendUpload = async (address: string, key: string, body: Buffer): Promise<Outcome> => {
  const headers = { authorization: `Token ${key}`, 'content-type': FORM_TYPE };
  const signal = AbortSignal.timeout(HUNG_MS);
  try {
    const response = await fetch(`${address}/v1/transcribe`, { method: 'POST', headers, body, signal });
    const answer = await response.json();
    if (response.ok) return { kind: 'success', answer: successResponse.parse(answer) };
    return refused(errorResponse.parse(answer));
  } catch (thrown) {
    // A response that violates the contract is a bug of the server, not a broken connection.
    if ((thrown as Error).name === 'ZodError') throw thrown;
    return { kind: signal.aborted ? 'hung' : 'broken' };
  }
};

/** Sends a stream with these words. */
export const streamOf = (words: readonly string[], parameters = ''): Send => {
  const pcm = wavOf(spoken(words)).subarray(44);
  return (address, key) => sendPcm(address, key, pcm, parameters);
};

const sendPcm = (address: string, key: string, pcm: Buffer, parameters: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const url = `${address.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite${parameters}`;
    const socket = new WebSocket(url);
    let outcome: Outcome = { kind: 'broken' };
    const timer = setTimeout(() => {
      outcome = { kind: 'hung' };
      socket.terminate();
    }, HUNG_MS);
    socket.on('open', () => {
      for (let at = 0; at < pcm.length; at += FRAME_BYTES) socket.send(pcm.subarray(at, at + FRAME_BYTES));
      socket.send(JSON.stringify({ type: 'close_stream' }));
    });
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      const result = resultMessage.safeParse(message);
      if (result.success) outcome = { kind: 'success', answer: result.data };
      else if (message.type === 'error')
        outcome = { kind: 'refused', code: message.error.code, requestId: message.request_id };
    });
    socket.on('unexpected-response', (_request, response) => {
      outcome = { kind: 'refused', code: String(response.statusCode), requestId: '' };
      response.resume();
      socket.terminate();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });

export const sendFile = fileOf(WORDS);
export const sendStream = streamOf(WORDS);
/** A stream that a thread must resample. */
export const sendResampledStream = streamOf(WORDS, '&sample_rate=24000');
