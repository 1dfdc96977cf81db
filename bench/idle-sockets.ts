// Many sockets that are idle or speak slowly: memory for each, and how late the event loop is.
// Run: npm run bench:idle-sockets [-- --smoke] [--sockets 2000] [--hold-seconds 20]
import { setTimeout as later } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Faircopy, type TranscriptionStream } from '@faircopy/client';
import { markdownTable } from './markdown-table.ts';
import { startServer } from './server-process.ts';

const { values: asked } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    sockets: { type: 'string' },
    'hold-seconds': { type: 'string' },
  },
});
const sockets = Number(asked.sockets ?? (asked.smoke ? 100 : 2000));
const holdSeconds = Number(asked['hold-seconds'] ?? (asked.smoke ? 2 : 20));
const CONNECTING_MAX = 50;
/** A tenth of a second of silence every two seconds: slower than any speaker. */
const FRAME = Buffer.alloc(3_200);
const FRAME_EVERY_MS = 2_000;

/** Runs the work for every item, some at a time. */
const forEach = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTING_MAX }, worker));
};

const server = await startServer('scripted', {
  FAIRCOPY_MAX_STREAMS: String(sockets * 2),
  FAIRCOPY_FIRST_FRAME_TIMEOUT_MS: '600000',
});
const failures: unknown[] = [];
try {
  const client = new Faircopy({ baseUrl: server.url, apiKey: server.key, retries: 0 });
  const before = await server.cost();
  const streams: TranscriptionStream[] = [];
  const connectStart = performance.now();
  await forEach(
    Array.from({ length: sockets }, (_, nth) => nth),
    async () => {
      const stream = client.stream({ model: 'svc-1.0-lite' });
      streams.push(stream);
      await stream.opened.catch((thrown) => failures.push(thrown));
    },
  );
  const connectMs = performance.now() - connectStart;
  const idle = await server.cost();
  const idleLagMs = (await server.metric('nodejs_eventloop_lag_p99_seconds')) * 1000;

  // Half of them speak, slowly; the others stay as they are.
  const speakers = streams.filter((_, nth) => nth % 2 === 0);
  const until = performance.now() + holdSeconds * 1000;
  await Promise.all(
    speakers.map(async (stream, nth) => {
      await later((nth / speakers.length) * FRAME_EVERY_MS);
      while (performance.now() < until) {
        await stream.send(FRAME).catch((thrown) => failures.push(thrown));
        await later(FRAME_EVERY_MS);
      }
    }),
  );
  const held = await server.cost();
  const heldLagMs = (await server.metric('nodejs_eventloop_lag_p99_seconds')) * 1000;

  const closeStart = performance.now();
  await forEach(streams, async (stream) => {
    await stream.finish().catch((thrown) => failures.push(thrown));
  });
  const closeMs = performance.now() - closeStart;
  const kb = (bytes: number) => Math.round(bytes / sockets / 1024);
  console.log(
    markdownTable([
      {
        sockets,
        'connect ms': Math.round(connectMs),
        'RSS KB per idle socket': kb(idle.rssBytes - before.rssBytes),
        'loop lag p99 ms, idle': idleLagMs.toFixed(1),
        'RSS KB per socket, half speaking': kb(held.rssBytes - before.rssBytes),
        'loop lag p99 ms, speaking': heldLagMs.toFixed(1),
        'all results ms': Math.round(closeMs),
        failed: failures.length,
      },
    ]),
  );
} finally {
  await server.stop();
}
for (const failure of failures.slice(0, 5)) console.error(String(failure));
if (failures.length > 0) process.exitCode = 1;
