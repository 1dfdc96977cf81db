import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import type { FaircopyError } from '@faircopy/client';
import { JobClient } from './job-client.ts';

/** A client of a server that sends half an answer, and that answer once the client has its head. */
const halfAnswered = async (t: TestContext) => {
  const answers: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 1_000 });
    response.write('{"status":');
    answers.push(response);
  }).listen(0, '127.0.0.1');
  const onHead = () => server.emit('half');
  subscribe('http.client.response.finish', onHead);
  t.after(() => {
    unsubscribe('http.client.response.finish', onHead);
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const half = once(server, 'half').then(() => answers[0]!);
  return { jobs: new JobClient({ url, apiKey: 'key' }), half };
};

test('a connection that is reset within an answer is a failed connection', async (t) => {
  const { jobs, half } = await halfAnswered(t);
  const failing = assert.rejects(jobs.get('job'), (thrown: FaircopyError) => thrown.code === 'CONNECTION_FAILED');
  (await half).socket?.resetAndDestroy();
  await failing;
});

test('a request that is aborted within its answer is not a failed connection', async (t) => {
  const { jobs, half } = await halfAnswered(t);
  const controller = new AbortController();
  const failing = assert.rejects(
    jobs.get('job', controller.signal),
    (thrown: FaircopyError) => thrown.code !== 'CONNECTION_FAILED',
  );
  await half;
  controller.abort();
  await failing;
});
