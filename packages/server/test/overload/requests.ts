// Sends single requests of either mode, and reports their status and duration.
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { FORM_TYPE, field, file, form, wavOf } from '../http/forms.ts';
import type { LoadServer } from './load-server.ts';

export interface Outcome {
  readonly status: number;
  /** Until the answer began; for a stream, from its end marker to the result, or until it was refused. */
  readonly ms: number;
  readonly retryAfterSeconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
/** Closes the kept-alive connections. */
export const closeIdleConnections = (): void => agent.destroy();

const WORD_SECONDS = 0.36;
const soundOf = (seconds: number): Buffer => wavOf(spoken(story(Math.round(seconds / WORD_SECONDS))));

const bodies = new Map<string, Buffer>();
export const uploadOf = (seconds: number, model = 'svc-1.0-lite', language = 'en'): Buffer => {
  const name = `${seconds} ${model} ${language}`;
  const body = bodies.get(name) ?? form(field('model', model), field('language', language), file(soundOf(seconds)));
  bodies.set(name, body);
  return body;
};

export const sendFile = ({ port }: LoadServer, key: string, body: Buffer, abortAfterMs?: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const startMs = performance.now();
    const headers = { authorization: `Token ${key}`, 'content-type': FORM_TYPE, 'content-length': body.length };
    const call = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/transcribe', headers, agent });
    const timer = abortAfterMs === undefined ? undefined : setTimeout(() => call.destroy(), abortAfterMs);
    const done = (status: number, ms: number, retryAfter = '0') => {
      clearTimeout(timer);
      resolve({ status, ms, retryAfterSeconds: Number(retryAfter) });
    };
    call.on('response', (response) => {
      const ms = performance.now() - startMs;
      response.resume();
      response.on('error', () => {});
      response.on('close', () => done(response.statusCode ?? 0, ms, response.headers['retry-after']));
    });
    call.on('error', () => done(0, performance.now() - startMs));
    call.end(body);
  });

const FRAME_MS = 100;
const FRAME_BYTES = (16_000 * 2 * FRAME_MS) / 1000;
const STREAM_SOUND = soundOf(60).subarray(44);

export interface StreamPlan {
  readonly seconds: number;
  /** In real time, or all at once. */
  readonly pace: 'live' | 'at once';
  readonly model?: string;
  /** Disconnects before the end marker. */
  readonly leaves?: boolean;
}

export const sendStream = ({ port }: LoadServer, key: string, plan: StreamPlan): Promise<Outcome> =>
  new Promise((resolve) => {
    const model = plan.model ?? 'svc-1.0-lite';
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/transcribe/stream?token=${key}&model=${model}`);
    let startMs = performance.now();
    let outcome: Outcome = { status: 0, ms: 0, retryAfterSeconds: 0 };
    const talk = async () => {
      for (let at = 0; at < plan.seconds * 1000 && socket.readyState === WebSocket.OPEN; at += FRAME_MS) {
        socket.send(STREAM_SOUND.subarray((at / FRAME_MS) * FRAME_BYTES, (at / FRAME_MS + 1) * FRAME_BYTES));
        if (plan.pace === 'live') await wait(FRAME_MS);
      }
      startMs = performance.now();
      if (plan.leaves) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"close_stream"}');
    };
    socket.on('open', () => void talk());
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string };
      if (type === 'error') outcome = { status: 503, ms: performance.now() - startMs, retryAfterSeconds: 1 };
      else outcome = { status: 200, ms: performance.now() - startMs, retryAfterSeconds: 0 };
    });
    socket.on('unexpected-response', (_request, response) => {
      const retryAfterSeconds = Number(response.headers['retry-after'] ?? 0);
      outcome = { status: response.statusCode ?? 0, ms: performance.now() - startMs, retryAfterSeconds };
      response.resume();
      socket.terminate();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(outcome));
  });
