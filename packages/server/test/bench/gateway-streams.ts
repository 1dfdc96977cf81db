// Measures what live streams cost a gateway whose windows are recognised elsewhere: CPU, windows and bytes on NATS.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ensureAccount, setLimits } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { wavOf } from '../http/forms.ts';
import { endChild, fileBeside, startProcess } from './worker-parts.ts';

const FRAME_MS = 100;
const FRAME_BYTES = FRAME_MS * 32;
const TICKS_PER_SECOND = 100;

export interface StreamCosts {
  readonly streams: number;
  readonly seconds: number;
  readonly results: number;
  /** Milliseconds of CPU per stream and second, without the voice model. */
  readonly cpuMs: number;
  readonly windowsPerSecond: number;
  readonly natsKilobytesPerSecond: number;
}

const cpuSecondsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

const metric = (page: string, name: string): number =>
  [...page.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

/** Sends speech in real time; resolves to whether a result arrived. */
const stream = (address: string, key: string, pcm: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(
      `${address.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite`,
    );
    let hasResult = false;
    socket.on('open', async () => {
      const startedMs = performance.now();
      for (let at = 0, nth = 1; at < pcm.length; at += FRAME_BYTES, nth++) {
        socket.send(pcm.subarray(at, at + FRAME_BYTES));
        await wait(Math.max(0, startedMs + nth * FRAME_MS - performance.now()));
      }
      socket.send(JSON.stringify({ type: 'close_stream' }));
    });
    socket.on('message', (data) => {
      if (JSON.parse(String(data)).type === 'result') hasResult = true;
    });
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      socket.terminate();
    });
    socket.on('close', () => resolve(hasResult));
  });

export const measureStreams = async (
  natsUrl: string,
  natsBytes: () => Promise<number>,
  { streams, seconds }: { readonly streams: number; readonly seconds: number },
): Promise<StreamCosts> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'faircopy-streams-'));
  const storage = await openStorage({ dataDir });
  const { account } = await ensureAccount(storage, 'streams');
  await setLimits(storage, account.id, { maxStreams: streams });
  const { key } = await createKey(storage, { accountId: account.id, name: 'load', createdBy: null });
  await storage.close();
  const env = {
    PORT: '0',
    NATS_URL: natsUrl,
    FAIRCOPY_RECOGNISERS: 'none',
    DATABASE_URL: '',
    FAIRCOPY_DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    FAIRCOPY_MAX_WAIT_MS: '60000',
  };
  const gateway = startProcess([fileBeside('../cluster/gateway-process.js')], ['pipe', 'pipe', 'inherit'], env);
  try {
    const [greeting] = (await once(gateway.stdout!, 'data')) as [Buffer];
    const address = String(greeting).trim();
    await wait(2_000);
    const pcm = wavOf(spoken(story(Math.floor(seconds / 0.36)))).subarray(44);
    const windows = async () =>
      metric(await (await fetch(`${address}/metrics`)).text(), 'faircopy_cluster_windows_total');
    const before = { cpu: cpuSecondsOf(gateway.pid!), bytes: await natsBytes(), windows: await windows() };
    const startedMs = performance.now();
    const ends = await Promise.all(
      Array.from({ length: streams }, async (_, nth) => {
        // Spreads the starts over a second.
        await wait((nth * 1_000) / streams);
        return stream(address, key, pcm);
      }),
    );
    const tookSeconds = (performance.now() - startedMs) / 1000;
    await wait(1_100);
    const streamSeconds = streams * seconds;
    return {
      streams,
      seconds,
      results: ends.filter(Boolean).length,
      cpuMs: (1000 * (cpuSecondsOf(gateway.pid!) - before.cpu)) / streamSeconds,
      windowsPerSecond: ((await windows()) - before.windows) / tookSeconds,
      natsKilobytesPerSecond: ((await natsBytes()) - before.bytes) / 1000 / tookSeconds,
    };
  } finally {
    await endChild(gateway);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
