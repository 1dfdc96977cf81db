import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { BUILD } from '../lib/process/version.ts';
import { openTracer } from './open-tracer.ts';
import { OtlpTracer, traceIdOf } from './otlp-tracer.ts';
import { noTracer } from './tracer.ts';

const ID = '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C';
const OFF = { otlpEndpoint: undefined, otlpHeaders: {}, otlpServiceName: 'faircopy' };

test('a request id and its trace id have the same bits', () => {
  assert.equal(traceIdOf('00000000000000000000000001'), '0'.repeat(31).concat('1'));
  assert.equal(traceIdOf('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 'f'.repeat(32));
  assert.match(traceIdOf(ID), /^[0-9a-f]{32}$/);
});

test('without an endpoint nothing is traced', async () => {
  assert.equal(await openTracer(OFF, 'node-1', () => {}), noTracer);
});

test('the spans of a request are sent as one trace, with the parts below the whole', async (t) => {
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(`${request.url} ${request.headers['x-team']} ${body}`);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  t.after(() => collector.close());
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
  const tracer = await openTracer(
    { ...OFF, otlpEndpoint: endpoint, otlpHeaders: { 'x-team': 'a' } },
    'node-1',
    () => {},
  );
  tracer.record({ requestId: ID, name: 'queue', startMs: 5, endMs: 7 });
  tracer.record({ requestId: ID, name: 'call', startMs: 1, endMs: 9, isFailure: true, attributes: { code: 'X' } });
  await tracer.close();
  const [path, team, json] = bodies[0]!.split(/ (?=a |\{)/, 3);
  assert.deepEqual([path, team], ['/v1/traces', 'a']);
  const { resource, scopeSpans } = JSON.parse(json!).resourceSpans[0];
  const { spans } = scopeSpans[0];
  assert.deepEqual(
    resource.attributes.map(({ key, value }: { key: string; value: { stringValue: string } }) => [
      key,
      value.stringValue,
    ]),
    [
      ['service.name', 'faircopy'],
      ['service.version', BUILD],
      ['service.instance.id', 'node-1'],
    ],
  );
  assert.deepEqual(
    spans.map(({ name }: { name: string }) => name),
    ['queue', 'call'],
  );
  assert.equal(spans[0].traceId, traceIdOf(ID));
  assert.equal(spans[0].parentSpanId, spans[1].spanId);
  assert.equal(spans[1].startTimeUnixNano, '1000000');
  assert.deepEqual(spans[1].status, { code: 2 });
  assert.deepEqual(spans[1].attributes[0], { key: 'faircopy.request_id', value: { stringValue: ID } });
});

test('an unreachable collector is reported once and costs only spans', async () => {
  const said: string[] = [];
  const tracer = new OtlpTracer({
    endpoint: 'http://127.0.0.1:1',
    headers: {},
    serviceName: 'x',
    instance: 'node-1',
    onTrouble: (text) => said.push(text),
  });
  for (let round = 0; round < 2; round += 1) {
    tracer.record({ requestId: ID, name: 'call', startMs: 1, endMs: 2 });
    await tracer.close();
  }
  assert.equal(said.length, 1);
});

test('while a batch is sent, later spans wait for one next batch', async (t) => {
  const counts: number[] = [];
  const unanswered: ServerResponse[] = [];
  const collector = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    counts.push(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length);
    // The first is answered when three more spans were recorded and flushed.
    if (counts.length > 1) response.end('{}');
    else unanswered.push(response);
    collector.emit('sent');
  }).listen(0, '127.0.0.1');
  t.after(() => {
    collector.close();
    collector.closeAllConnections();
  });
  await once(collector, 'listening');
  const tracer = new OtlpTracer({
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    headers: {},
    serviceName: 'x',
    instance: 'node-1',
    onTrouble: (text) => assert.fail(text),
  });
  const flushed: Promise<void>[] = [];
  const flush = () => {
    tracer.record({ requestId: ID, name: 'call', startMs: 1, endMs: 2 });
    flushed.push(tracer.close());
  };
  const sent = once(collector, 'sent');
  flush();
  await sent;
  for (let more = 0; more < 3; more += 1) flush();
  unanswered[0]!.end('{}');
  await Promise.all(flushed);
  assert.deepEqual(counts, [1, 3]);
});
