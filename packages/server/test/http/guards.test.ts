// What callers without a key can cost: connections, pipelined requests, slow bodies, expensive pages.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { parseConfig } from '../../src/app/config.ts';
import { silentLog } from '../../src/observability/log.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { createHttp } from '../../src/transport/http/server.ts';
import { eventually } from '../stream/stream-server.ts';
import { RawClient } from './raw.ts';
import { failure, startService } from './service.ts';

test('connections over the limit per address are closed at once, and a closed one makes room', async (t) => {
  const service = await startService(t, { config: { maxConnections: 12 } });
  const clients = Array.from({ length: 3 }, () => new RawClient(service.port));
  const ask = (client: RawClient) => client.head(['GET /healthz HTTP/1.1', 'Host: test']);
  for (const client of clients) {
    await ask(client);
    assert.equal((await client.answer())?.status, 200);
  }
  const fourth = new RawClient(service.port);
  await fourth.closed();
  clients[0]!.socket.destroy();
  await clients[0]!.closed();
  const answered = await eventually(
    async () => {
      const next = new RawClient(service.port);
      await ask(next);
      const answer = await next.answer();
      next.socket.destroy();
      return answer?.status;
    },
    (status) => status === 200,
  );
  assert.equal(answered, 200);
  for (const client of clients) client.socket.destroy();
});

test('a trusted proxy may have more connections than any other address', async (t) => {
  const config = { maxConnections: 4, trustedProxies: ['127.0.0.1'] };
  const service = await startService(t, { config });
  const clients = Array.from({ length: 3 }, () => new RawClient(service.port));
  for (const client of clients) {
    await client.head(['GET /healthz HTTP/1.1', 'Host: test']);
    assert.equal((await client.answer())?.status, 200);
    t.after(() => client.socket.destroy());
  }
});

test('pipelined requests are all answered, and a flood of them ends the connection', async (t) => {
  const service = await startService(t);
  const client = new RawClient(service.port);
  await client.send('GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(5));
  for (let count = 0; count < 5; count++) assert.equal((await client.answer())?.status, 200);
  await client.send('GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(1000));
  await client.closed();
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
});

test('a body that is parsed as a whole must arrive in time: 408, and the connection ends', async (t) => {
  const app = createHttp({ config: parseConfig({}), log: silentLog(), metrics: new Metrics(), bodyTimeoutMs: 50 });
  app.post('/echo', async ({ body }) => ({ body }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const client = new RawClient((app.server.address() as AddressInfo).port);
  await client.head(['POST /echo HTTP/1.1', 'Host: test', 'Content-Type: application/json', 'Content-Length: 20']);
  await client.send('{"dripping":');
  const answer = await client.answer();
  assert.equal(answer?.status, 408);
  assert.equal(JSON.parse(answer.body).error.code, 'REQUEST_TIMEOUT');
  client.socket.destroy();
});

test('metrics can have their own listener and require a token', async (t) => {
  const service = await startService(t, {
    config: { metricsAddress: { host: '127.0.0.1', port: 0 }, metricsToken: 'secret' },
  });
  assert.equal((await failure(await fetch(`${service.url}/metrics`))).error.code, 'NOT_FOUND');
  const url = `${service.app.metricsUrl}/metrics`;
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await fetch(url, { headers: { authorization: 'Bearer wrong!' } })).status, 401);
  const page = await fetch(url, { headers: { authorization: 'Bearer secret' } });
  assert.match(await page.text(), /faircopy_open_streams 0/);
});

test('the metrics page is rendered at most once a second', async (t) => {
  const service = await startService(t);
  const { metrics } = service.app;
  const make = metrics.page.bind(metrics);
  let made = 0;
  metrics.page = () => {
    made += 1;
    return make();
  };
  await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${service.url}/metrics`)).text()));
  assert.ok(made <= 2, `${made} pages were made`);
});
