// Clients of a server that is being killed: each request ends as a success, a refusal, or a broken connection.
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
  /** The connection ended without an answer. */
  | { readonly kind: 'broken' }
  /** Nothing came for so long that nobody would have waited. */
  | { readonly kind: 'hung' };

/** Longer than any time-out of a part that may have died. */
const HUNG_MS = 120_000;

const SOUND = spoken(['apple', 'bridge', 'candle', 'desk']);
const UPLOAD = form(MODEL, file(wavOf(SOUND)));
const PCM = wavOf(SOUND).subarray(44);
const FRAME_BYTES = 8_000;

export type Send = (address: string, key: string) => Promise<Outcome>;

const refused = ({ error, request_id }: ErrorResponse): Outcome => ({
  kind: 'refused',
  code: error.code,
  requestId: request_id,
});

export const sendFile: Send = async (address, key) => {
  const headers = { authorization: `Token ${key}`, 'content-type': FORM_TYPE };
  const signal = AbortSignal.timeout(HUNG_MS);
  try {
    const response = await fetch(`${address}/v1/transcribe`, { method: 'POST', headers, body: UPLOAD, signal });
    const body = await response.json();
    if (response.ok) return { kind: 'success', answer: successResponse.parse(body) };
    return refused(errorResponse.parse(body));
  } catch (thrown) {
    // What is no answer of the contract is a fault of the server, not a broken connection.
    if ((thrown as Error).name === 'ZodError') throw thrown;
    return { kind: signal.aborted ? 'hung' : 'broken' };
  }
};

const streamOf =
  (parameters: string): Send =>
  (address, key) =>
    new Promise((resolve) => {
      const url = `${address.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite${parameters}`;
      const socket = new WebSocket(url);
      let outcome: Outcome = { kind: 'broken' };
      const timer = setTimeout(() => {
        outcome = { kind: 'hung' };
        socket.terminate();
      }, HUNG_MS);
      socket.on('open', () => {
        for (let at = 0; at < PCM.length; at += FRAME_BYTES) socket.send(PCM.subarray(at, at + FRAME_BYTES));
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

export const sendStream = streamOf('');
/** At another rate than the recogniser's, which a thread converts. */
export const sendResampledStream = streamOf('&sample_rate=24000');
