import assert from 'node:assert/strict';
import { request as connect, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { deferred } from '../../../lib/time/deferred.ts';
import { receiveBody } from './receive.ts';

type Take = (chunk: Buffer) => Promise<void> | undefined;

/** A server that takes the body of one request, and a request to it whose body is sent in chunks. */
const received = async (t: TestContext, take: Take) => {
  const done = deferred<void>();
  const server = createServer((request, response) => {
    const options = { timeoutMs: 10_000, signal: new AbortController().signal };
    receiveBody(request, options, take).then(done.resolve, done.reject);
    done.promise.finally(() => response.end()).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', method: 'POST' }, (response) => response.resume());
  client.setNoDelay(true);
  return { client, done: done.promise };
};

test('chunks of one byte are taken together, in order', async (t) => {
  const taken: Buffer[] = [];
  const { client, done } = await received(t, (chunk) => void taken.push(chunk));
  const sent = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251));
  for (const byte of sent) client.write(Buffer.of(byte));
  client.end();
  await done;
  assert.deepEqual(Buffer.concat(taken), sent);
  assert.ok(taken.length < 5_000, `${taken.length} chunks`);
});

test('a small chunk is taken although nothing follows it, and a large one comes after it', async (t) => {
  const first = deferred<void>();
  const taken: string[] = [];
  const { client, done } = await received(t, (chunk) => {
    taken.push(chunk.toString());
    first.resolve();
    return undefined;
  });
  client.write('a');
  await first.promise;
  client.write('b');
  client.end('c'.repeat(2_000));
  await done;
  assert.equal(taken[0], 'a');
  assert.equal(taken.join(''), `ab${'c'.repeat(2_000)}`);
});

test('receiving ends only when the last bytes have been taken', async (t) => {
  const asked = deferred<void>();
  const slow = deferred<void>();
  const { client, done } = await received(t, () => {
    asked.resolve();
    return slow.promise;
  });
  client.end('a');
  await asked.promise;
  let state = 'receiving';
  const ended = done.then(() => {
    state = 'ended';
  });
  await new Promise(setImmediate);
  assert.equal(state, 'receiving');
  slow.resolve();
  await ended;
});

test('an error from the last bytes is reported', async (t) => {
  const { client, done } = await received(t, () => {
    throw new Error('full');
  });
  client.end('a');
  await assert.rejects(done, /full/);
});
