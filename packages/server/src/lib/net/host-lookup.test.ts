import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { HostLookup, TooManyLookups } from './host-lookup.ts';

const TYPE_A = 1;

/** A name server that knows one address for every name, except for names that begin with "slow", which it ignores. */
const startNameServer = async (t: TestContext): Promise<string> => {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const nameEnd = query.indexOf(0, 12);
    if (query.subarray(13, 17).toString() === 'slow') return;
    const isA = query.readUInt16BE(nameEnd + 1) === TYPE_A;
    const question = query.subarray(12, nameEnd + 5);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(isA ? 1 : 0, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const answer = Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 198, 51, 100, 7]);
    socket.send(Buffer.concat([header, question, ...(isA ? [answer] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
};

test('slow names of one owner are bounded and do not delay the names of another', async (t) => {
  const lookup = new HostLookup({ servers: [await startNameServer(t)] });
  const stop = new AbortController();
  let settled = 0;
  const slow = Array.from({ length: 8 }, (_, nth) =>
    lookup.addresses(`slow${nth}.example`, 'a', stop.signal).finally(() => {
      settled += 1;
    }),
  );
  await assert.rejects(lookup.addresses('fast.example', 'a'), TooManyLookups);
  assert.deepEqual(await lookup.addresses('fast.example', 'b'), [{ address: '198.51.100.7', family: 4 }]);
  assert.equal(settled, 0);
  stop.abort(new Error('left'));
  for (const each of slow) await assert.rejects(each, /left/);
  assert.deepEqual(await lookup.addresses('fast.example', 'a'), [{ address: '198.51.100.7', family: 4 }]);
});

test('addresses and localhost are not looked up', async () => {
  const lookup = new HostLookup({ servers: ['127.0.0.1:9'] });
  assert.deepEqual(await lookup.addresses('192.0.2.1', 'a'), [{ address: '192.0.2.1', family: 4 }]);
  assert.deepEqual(await lookup.addresses('::1', 'a'), [{ address: '::1', family: 6 }]);
  assert.deepEqual(await lookup.addresses('localhost', 'a'), [{ address: '127.0.0.1', family: 4 }]);
});
