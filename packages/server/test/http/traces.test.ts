// Spans of requests with a `traceparent` continue the caller's trace, for files and streams.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { WebSocket } from 'ws';
import { traceIdOf } from '../../src/observability/otlp-tracer.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { file, form, MODEL, wavOf } from './forms.ts';
import { rowsOnceThere, startService, streamAddress, success } from './service.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

const SPAN = '00f067aa0ba902b7';
const traceOf = (nth: number) => `4bf92f3577b34da6a3ce929d0e0e473${nth}`;
const CLIP = form(MODEL, file(wavOf(spoken(['apple', 'bridge']))));

test('a traceparent is continued, and a malformed or unsampled one is not', async (t) => {
  const spans: SentSpan[] = [];
  const collector = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    spans.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  t.after(() => collector.close());
  await once(collector, 'listening');
  const service = await startService(t, {
    config: { otlpEndpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` },
  });
  const send = async (traceparent: string): Promise<string> => {
    const response = await service.post(CLIP, { traceparent });
    await success(response);
    return response.headers.get('x-request-id')!;
  };
  await send(`00-${traceOf(1)}-${SPAN}-01`);
  const malformed = await send(`00-${traceOf(2)}-${SPAN}-01-more`);
  await send(`00-${traceOf(3)}-${SPAN}-00`);
  const socket = new WebSocket(streamAddress(service), { headers: { traceparent: `00-${traceOf(4)}-${SPAN}-01` } });
  await once(socket, 'open');
  socket.close();
  await rowsOnceThere(service, 4);
  // Closing sends the pending spans.
  await service.app.close();

  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  const file1 = of(traceOf(1));
  const call = file1.find(({ name }) => name === 'call');
  assert.equal(call?.parentSpanId, SPAN);
  assert.ok(file1.some(({ name }) => name === 'recognise'));
  for (const span of file1) if (span !== call) assert.equal(span.parentSpanId, call?.spanId, span.name);
  assert.equal(of(traceIdOf(malformed)).find(({ name }) => name === 'call')?.parentSpanId, undefined);
  assert.deepEqual([of(traceOf(2)), of(traceOf(3))], [[], []]);
  assert.equal(of(traceOf(4)).find(({ name }) => name === 'call')?.parentSpanId, SPAN, 'a stream');
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 3);
});
