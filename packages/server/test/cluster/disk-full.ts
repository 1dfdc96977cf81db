// Fills a gateway's disk: the gateway reports it, refuses requests, and recovers when there is space again.
import assert from 'node:assert/strict';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { story } from '../../src/speech/testing/tones.ts';
import type { Ending } from '../http/service.ts';
import { fileOf } from '../kills/clients.ts';
import { startGateway, startWorker } from './gateway-and-worker.ts';
import { assertOutage, assertReady, samplesAt } from './outages.ts';

/** Far below the threshold of the alert FaircopyDiskFull. */
export const DISK_MB = 48;
const LEFT_BYTES = 1024 * 1024;

export const runDiskFull = async (t: Ending, dataDir: string): Promise<void> => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const gateway = await startGateway(t, nats.url, { dataDir });
  await startWorker(t, nats.url, {});
  await assertReady([gateway.url]);
  const send = fileOf(story(6));
  assert.equal((await send(gateway.url, gateway.key)).kind, 'success');

  const { bavail, bsize } = statfsSync(dataDir);
  const filler = join(dataDir, 'filler');
  writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_BYTES, 1));
  let isOver = false;
  const client = (async () => {
    for (; !isOver; await wait(100)) assert.match((await send(gateway.url, gateway.key)).kind, /^(success|refused)$/);
  })();
  try {
    await assertOutage([gateway.url], /the disk of the data folder is full/);
    const samples = await samplesAt(gateway.url);
    const [free, size] = [samples.get('faircopy_data_free_bytes')!, samples.get('faircopy_data_size_bytes')!];
    assert.ok(free < 512 * 1024 * 1024 && free / size < 0.1, `FaircopyDiskFull: ${free} of ${size}`);
  } finally {
    isOver = true;
    await client;
  }
  rmSync(filler);
  await assertReady([gateway.url]);
  assert.equal((await send(gateway.url, gateway.key)).kind, 'success');
};
