import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { setLimits } from '../../src/accounts/accounts.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { startService, streamAddress } from '../http/service.ts';
import { bytesInUse } from './memory.ts';
import { eventually } from './stream-server.ts';

const CYCLES = 1000;
const AT_ONCE = 25;
/** What a thousand abandoned streams may leave in memory: caches and the ledger's statements, not streams. */
const BYTES_LEFT_MAX = 8 * 1024 * 1024;

test('a thousand random streams leave no slot, session or memory behind', {
  timeout: 240_000,
}, async (t) => {
  const service = await startService(t);
  await setLimits(service.app.storage, service.accountId, { maxStreams: AT_ONCE * 2 });
  const address = streamAddress(service);
  const random = seededRandom(7);
  const second = Buffer.alloc(32_000);
  /** Connects, perhaps speaks, perhaps asks for the answer, and disconnects at some moment in between. */
  const cycle = async (): Promise<void> => {
    const socket = new WebSocket(address);
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('open', () => {
      if (random() < 0.8) socket.send(second);
      if (random() < 0.4) socket.send('{"type":"close_stream"}');
      if (random() < 0.1) socket.send('nonsense');
    });
    await Promise.race([closed, later(random() * 60, undefined, { ref: false })]);
    if (random() < 0.5) socket.terminate();
    else socket.close();
    await closed;
  };
  const cycles = async (count: number): Promise<void> => {
    let left = count;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await cycle();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  const settled = () => eventually(service.takenSlots, (taken) => taken === 0);

  // Fill caches first.
  await cycles(100);
  await settled();
  service.engine.asked.length = 0;
  const before = bytesInUse();
  await cycles(CYCLES);
  await settled();
  assert.match((await service.app.metrics.page()).text, /^faircopy_open_streams 0$/m);
  await service.engine.until((engine) => engine.openProbes === 0 && engine.running === 0);
  service.engine.asked.length = 0;
  const left = bytesInUse() - before;
  t.diagnostic(`${(left / 1024 / 1024).toFixed(1)} MB more after ${CYCLES} streams`);
  assert.ok(left < BYTES_LEFT_MAX, `${left} bytes are left behind`);
});
