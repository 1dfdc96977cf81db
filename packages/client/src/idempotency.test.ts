import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { Faircopy } from './node.ts';

const ANSWER = {
  status: 'success',
  result: { transcript: 'hello', detected_language: 'en', duration_seconds: 1 },
  usage: { billed_audio_seconds: 15, output_token_count: 1 },
  request_id: '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C',
};

/** A service that fails the first requests and then answers. `keys` are the idempotency keys it received. */
const startFailing = async (t: TestContext, failures: number, proxyStatus?: number) => {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      keys.push(request.headers['idempotency-key'] as string | undefined);
      if (keys.length > failures) response.end(JSON.stringify(ANSWER));
      else if (proxyStatus === undefined) request.socket.destroy();
      else response.writeHead(proxyStatus, { 'content-type': 'text/html' }).end('<h1>lost</h1>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { keys, client: new Faircopy({ baseUrl, apiKey: 'fc_test' }) };
};

for (const status of [undefined, 502, 504])
  test(`every attempt of a call has the same key, and a lost answer is requested again (${status ?? 'connection reset'})`, async (t) => {
    const { keys, client } = await startFailing(t, 2, status);
    const answer = await client.transcribe(new Uint8Array([1, 2, 3]));
    assert.equal(answer.result.transcript, 'hello');
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.match(keys[0]!, /^[0-9a-f]{32}$/);
  });

test('each call generates a new key unless it is given one', async (t) => {
  const { keys, client } = await startFailing(t, 0);
  await client.transcribe(new Uint8Array([1]));
  await client.transcribe(new Uint8Array([1]), { onProgress: () => {} });
  await client.transcribe(new Uint8Array([1]), { idempotencyKey: 'mine' });
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], 'mine');
});
